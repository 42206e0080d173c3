"""Counts a scorecard from a raw export, without any part of the program."""

import json
import sys
from collections import defaultdict

from questions import LOCALES, bar_codes, brand, first, items, localized


def organization(product):
    found = items(product.get("organizations"))
    return first(found[0].get("name")) if found else None


def cells(product):
    has = {}
    for topic, member in [("Name", "name"), ("Short description", "shortDescription")]:
        for locale in LOCALES:
            has[f"{topic} {locale}"] = localized(product.get(member), locale) is not None
    for locale in LOCALES:
        texts = items(product.get("descriptions"))
        has[f"Description {locale}"] = any(localized(text.get("content"), locale) is not None for text in texts)
    has["Price and codes price"] = product.get("publicPrice") is not None
    has["Price and codes CNK"] = product.get("cnk") is not None
    has["Price and codes bar code"] = bool(bar_codes(product))
    for kind in ["packshot", "productshot", "lifestyle_image", "pillshot"]:
        photos = [photo for photo in items(product.get("photos")) if photo.get("photoType") == kind]
        topic = kind.replace("_image", "").capitalize()
        has[f"{topic} any"] = bool(photos)
        for locale in LOCALES:
            has[f"{topic} {locale}"] = any(locale in items(photo.get("locales")) for photo in photos)
    return has


def main(path, by):
    with open(path) as lines:
        products = [json.loads(line)["result"] for line in lines if line.strip()]
    active = [each for each in products if each.get("status") == "active"]
    group_of = brand if by == "brand" else organization
    groups = defaultdict(lambda: defaultdict(int))
    missing = []
    for each in active:
        group, has = groups[str(group_of(each))], cells(each)
        group["products"] += 1
        for name, filled in has.items():
            group[name] += filled
        unscored = ("Productshot", "Lifestyle", "Pillshot")
        missing.append((sum(not filled for name, filled in has.items() if not name.startswith(unscored)), each["id"]))
    worst = [[identifier, count] for count, identifier in sorted(missing, key=lambda each: (-each[0], each[1]))[:50]]
    json.dump({"groups": groups, "worst": worst}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
