"""The jobs of six consumers by hand, from lines of the service. argv: the job, its files; prints JSON."""
import csv, json, re, sys
from collections import defaultdict
from decimal import Decimal


def read(path):
    with open(path, encoding="utf8") as lines:
        return [json.loads(line)["result"] for line in lines]


def as_list(value):
    return [] if value is None else value if isinstance(value, list) else [value]


def cents(product):
    try:
        return int(product.get("publicPrice"))
    except (TypeError, ValueError):
        return None


def euros(product, sign="."):
    return "" if cents(product) is None else str(Decimal(cents(product)).scaleb(-2)).replace(".", sign)


def text(localized, *locales):
    values = [(localized or {}).get(locale) for locale in locales]
    return next((value for value in values if value), "")


def cnk(product):
    return "" if product.get("cnk") is None else str(product["cnk"]).zfill(7)


def brand(product):
    brands = as_list(product.get("brands"))
    return text(brands[0].get("name"), "nl", "fr", "en") if brands else ""


def bare(written):
    """A code as people write it, without hyphens, what a spreadsheet adds, and zeros on the left."""
    return re.sub(r"[- ']", "", re.sub(r"\.0$", "", written.strip())).lstrip("0")


BARS = ["ean", "gtin", "eanGtin8", "eanGtin12", "eanGtin13", "eanGtin14"]


def codes(product, fields):
    return {bare(str(each)) for field in fields for each in as_list(product.get(field))}


def holders(products, fields):
    found = defaultdict(list)
    for product in products:
        for code in codes(product, fields):
            found[code].append(product)
    return found


def succession(product, by_id):
    passed = []
    while product.get("status") == "replaced":
        if product["id"] in passed:
            return "circle"
        passed.append(product["id"])
        if product.get("replacement") not in by_id:
            return "dead end"
        product = by_id[product["replacement"]]
    return product["id"]


def is_wrong(ean):
    return sum(int(digit) * (1 if at % 2 == 0 else 3) for at, digit in enumerate(reversed(ean))) % 10 != 0


def price_list(export, listed):
    products = read(export)
    by_id = {product["id"]: product for product in products}
    index = {"EAN": holders(products, BARS), "CNK": holders(products, ["cnk"])}
    rows, missing = [], []

    def judge(line):
        wanted = {key: bare(line[key]) for key in ("EAN", "CNK")}
        fit = {key: code for key, code in wanted.items() if code.isdigit() and len(code) >= (4 if key == "CNK" else 6)}
        having = [index[key][code] for key, code in fit.items() if index[key][code]]
        left = None
        for ids in [{p["id"] for p in found if p.get("status") == "active"} for found in having]:
            both = ids if left is None else left & ids
            if len(both) == 1:
                return by_id[both.pop()], None, None
            left = both or left or None
        if left:
            return None, "ambiguous", None
        found = {product["id"]: product for each in having for product in each}
        statuses = {product.get("status") for product in found.values()}
        if "replaced" in statuses:
            ends = [succession(p, by_id) for p in found.values() if p.get("status") == "replaced"]
            return None, "replaced", ends[0] if len(ends) == 1 else None
        if found:
            return None, "inactive" if statuses == {"inactive"} else "left out by a condition", None
        if not fit:
            return None, "no code" if any(line[key].strip() for key in wanted) else "empty", None
        return None, "wrong check digit" if "EAN" in fit and is_wrong(fit["EAN"]) else "not found", None

    for number, line in enumerate(csv.DictReader(open(listed, encoding="utf8", newline=""), delimiter=";"), 2):
        product, kind, end = judge(line)
        shown = ["", "", "", "", ""]
        if product is not None:
            name = text(product.get("name"), "nl", "fr", "en")
            shown = [product["id"], cnk(product), name, brand(product), euros(product)]
        else:
            missing.append([str(number), kind, end])
        rows.append([str(number), line["stock"], *shown])
    return {"rows": rows, "missing": missing}


def images(export):
    rows = []
    for product in read(export):
        if product.get("status") != "active":
            continue
        packshots = [photo for photo in as_list(product.get("photos")) if photo.get("photoType") == "packshot"]
        having = [photo for photo in packshots if isinstance(photo.get("formats"), dict) and photo["formats"].get("large")]

        def best(order):
            def rank(photo):
                ranks = [order.index(locale) for locale in photo.get("locales") or [] if locale in order]
                return min(ranks, default=len(order)), photo.get("displayOrder") or 10**6

            return min(having, key=rank)["formats"]["large"] if having else ""

        chosen = [best(["nl", "fr", "en"]), best(["fr", "nl", "en"])]
        rows.append([product["id"], cnk(product), *chosen, str(len(packshots)), "true" if having else "false"])
    return rows


def web_shop(export):
    def safe(value):
        return "'" + value if value[:1] in ("=", "+", "-", "@", "\t", "\r") else value

    rows = [["id", "cnk", "name_nl", "name_fr", "short_description_nl", "short_description_fr", "price", "vat"]]
    for product in read(export):
        if product.get("status") != "active" or (cents(product) or 0) < 1:
            continue
        texts = [text(product.get(name), locale) for name in ("name", "shortDescription") for locale in ("nl", "fr")]
        vat = "" if product.get("vat") is None else str(product["vat"]).replace(".", ",")
        rows.append([product["id"], cnk(product), *map(safe, texts), euros(product, ","), vat])
    return rows


def join(export, register):
    products = read(export)
    index = holders(products, ["cnk"])
    rows = []
    for line in csv.DictReader(open(register, encoding="utf8", newline=""), delimiter=";"):
        found = index[bare(line["CNK"])]
        active = [product for product in found if product.get("status") == "active"]
        one = found if len(found) == 1 else active
        chosen = None if not found else one[0]["id"] if len(one) == 1 else "ambiguous"
        price = next((euros(product) for product in products if product["id"] == chosen), "")
        rows.append([line["number"], chosen, price])
    return rows


def content(product):
    left_out = ("updatedAt", "embedUrl", "publicPageUrl")
    meta = {key: value for key, value in (product.get("meta") or {}).items() if key not in left_out}
    return json.dumps({**product, "meta": meta}, sort_keys=True)


def mirror(*nights):
    seen, changes, before = {}, [], {}
    for night in map(read, nights):
        now = {product["id"]: product for product in night}
        seen.update(now)
        added = [["new", id] for id in now if id not in before]
        gone = [["removed", id] for id in before if id not in now]
        changed = [["changed", id] for id in now if id in before and content(now[id]) != content(before[id])]
        changes.append(sorted(added + gone + changed))
        before = now
    rows = [[id, each.get("status"), cents(each), id not in before] for id, each in sorted(seen.items())]
    return {"rows": rows, "changes": changes}


def mail(first, last):
    old, new = ({product["id"]: product for product in read(path)} for path in (first, last))
    entries = []
    for id in old.keys() | new.keys():
        was, now = (side.get(id) for side in (old, new))
        sold = [each is not None and each.get("status") in (None, "active") for each in (was, now)]
        if was and now and now.get("status") == "replaced":
            if (was.get("status"), was.get("replacement")) != ("replaced", now.get("replacement")):
                entries.append(["replaced", id, succession(now, new)])
        elif sold == [False, True]:
            entries.append(["new" if was is None else "back", id])
        elif sold == [True, False]:
            entries.append(["gone" if now is None else "withdrawn", id])
        elif sold == [True, True] and cents(was) != cents(now):
            prices = [max(0, cents(each) or 0) for each in (was, now)]
            kind = "priced" if not prices[0] else "unpriced" if not prices[1] else "up" if prices[1] > prices[0] else "down"
            entries.append([kind, id, euros(was), euros(now)])
    return sorted(entries)


jobs = {each.__name__: each for each in (price_list, images, web_shop, join, mirror, mail)}
json.dump(jobs[sys.argv[1]](*sys.argv[2:]), sys.stdout)
