"""Answers the saved questions from a raw export, without any part of the program: a JSON object of answers by question."""

import json
import sys
from collections import Counter, defaultdict
from datetime import datetime, timedelta
from statistics import median

LOCALES = ["nl", "fr", "en"]


def localized(value, locale):
    return value.get(locale) if isinstance(value, dict) else None


def first(value):
    return next((localized(value, each) for each in LOCALES if localized(value, each) is not None), None)


def items(value):
    return value if isinstance(value, list) else []


def brand(product):
    brands = items(product.get("brands"))
    return first(brands[0].get("name")) if brands else None


def bar_codes(product):
    fields = ["gtin", "eanGtin8", "eanGtin12", "eanGtin13", "eanGtin14"]
    eans = product.get("ean")
    found = eans if isinstance(eans, list) else [eans]
    return {str(code).zfill(14) for code in [*found, *(product.get(field) for field in fields)] if code is not None}


def percent(part, whole):
    return round(100 * part / whole + 1e-9, 1)


def answer(products, finished):
    active = [each for each in products if each.get("status") == "active"]
    shot = lambda each: any(photo.get("photoType") == "packshot" for photo in items(each.get("photos")))
    ids = lambda found: sorted(each["id"] for each in found)
    answers = {}

    counts, without = Counter(map(brand, active)), Counter(brand(each) for each in active if not shot(each))
    answers["no-packshot-by-brand"] = {
        str(name): [count, without[name], percent(without[name], count)] for name, count in counts.items()
    }
    answers["no-packshot"] = ids(each for each in active if not shot(each))
    answers["no-price"] = ids(each for each in active if (each.get("publicPrice") or 0) <= 0)

    missing = lambda has: {
        each["id"]: ", ".join(locale for locale in LOCALES if not has(each, locale))
        for each in active
        if not all(has(each, locale) for locale in LOCALES)
    }
    answers["no-name"] = missing(lambda each, locale: localized(each.get("name"), locale) is not None)
    answers["no-description"] = missing(
        lambda each, locale: any(
            localized(text.get("content"), locale) is not None for text in items(each.get("descriptions"))
        )
    )
    answers["no-code"] = ids(each for each in active if each.get("cnk") is None and not bar_codes(each))
    answers["no-alt"] = sorted(
        f'{each["id"]} {kind} {at + 1} ' + ", ".join(word for word, lacks in [("text", text), ("locale", locale)] if lacks)
        for each in active
        for kind in ["photos", "frontals"]
        for at, image in enumerate(items(each.get(kind)))
        for text, locale in [(first(image.get("name")) is None, not items(image.get("locales")))]
        if text or locale
    )

    known = {each["id"] for each in products}
    answers["no-successor"] = {
        each["id"]: "none is named" if each.get("replacement") is None else "it is not in the table"
        for each in products
        if each.get("status") == "replaced" and each.get("replacement") not in known
    }

    middle = median(each["publicPrice"] for each in active if (each.get("publicPrice") or 0) > 0)
    odd = {}
    for each in active:
        price, cost = each.get("publicPrice"), each.get("pharmacistPrice")
        if price is None:
            continue
        reasons = [
            ("zero or less", price <= 0),
            ("below the price of the pharmacist", cost is not None and cost > price),
            ("more than 100 times the median", price > 100 * middle),
            ("less than a hundredth of the median", price > 0 and 100 * price < middle),
        ]
        if any(holds for _, holds in reasons):
            odd[each["id"]] = ", ".join(reason for reason, holds in reasons if holds)
    answers["odd-prices"] = odd

    owners = defaultdict(set)
    for each in products:
        for code in bar_codes(each):
            owners[f"gtin {code}"].add(each["id"])
        if each.get("cnk") is not None:
            owners[f"cnk {str(each['cnk']).zfill(7)}"].add(each["id"])
    answers["shared-codes"] = {code: ", ".join(sorted(found)) for code, found in owners.items() if len(found) > 1}

    answers["status"] = {str(status): count for status, count in Counter(each.get("status") for each in products).items()}
    touched = [(moment(each["meta"]["updatedAt"]), each["id"]) for each in active if (each.get("meta") or {}).get("updatedAt") is not None]
    answers["oldest"] = [identifier for _, identifier in sorted(touched)]
    made = [(moment(each["meta"]["createdAt"]), each["id"]) for each in products if (each.get("meta") or {}).get("createdAt") is not None]
    answers["new-this-week"] = sorted(identifier for time, identifier in made if finished - timedelta(days=7) <= time <= finished)
    return answers


def moment(seconds):
    return datetime.fromtimestamp(int(seconds), tz=datetime.now().astimezone().tzinfo)


if __name__ == "__main__":
    with open(sys.argv[1]) as lines:
        read = [json.loads(line)["result"] for line in lines if line.strip()]
    json.dump(answer(read, datetime.fromisoformat(sys.argv[2].replace("Z", "+00:00"))), sys.stdout)
