"""Matches a list by hand: argv are the export, the list in code page 850, and where to write one JSON a line."""
import json, re, sys

records = [json.loads(line)["result"] for line in open(sys.argv[1], encoding="utf8")]
by_id = {record["id"]: record for record in records}


def digits(cell):
    cell = cell.strip().strip("'").removeprefix('="').removesuffix('"')
    cell = re.sub(r"\.0$", "", cell)
    return re.sub(r"[- ]", "", cell)


def bare(code):
    return code.lstrip("0")


index = {}
for record in records:
    for key, fields in (("cnk", ["cnk"]), ("ean", ["ean", "gtin", "eanGtin14"])):
        codes = set()
        for field in fields:
            value = record.get(field)
            for each in value if isinstance(value, list) else [value]:
                if each is not None:
                    codes.add(bare(str(each)))
        for code in codes:
            index.setdefault((key, code), []).append(record)


def is_published(record):
    return record["status"] == "active" and not isinstance(record.get("publicPrice"), str)


def succession(record):
    seen = []
    while record["status"] == "replaced":
        if record["id"] in seen:
            circle = seen[seen.index(record["id"]) :]
            first = circle.index(min(circle))
            circle = circle[first:] + circle[:first]
            return "replaced in a circle: " + " → ".join(circle + circle[:1])
        seen.append(record["id"])
        following = record.get("replacement")
        if following is None:
            return "replaced, but no product is named"
        if following not in by_id:
            return f"replaced by {following}, which is not there"
        record = by_id[following]
    return f"replaced by {record['id']}" if seen else None


def wrong_digit(code):
    weights = [1 if at % 2 == 0 else 3 for at in range(14)]
    return sum(int(d) * w for d, w in zip(reversed(code.zfill(14)), weights)) % 10 != 0


def judge(cells):
    codes = {}
    bad = False
    for key, cell in zip(("cnk", "ean"), cells):
        text = digits(cell)
        if text == "" or text.lower() == "null":
            continue
        low, high = (4, 7) if key == "cnk" else (6, 14)
        if not text.isdigit() or not low <= len(bare(text)) <= high:
            bad = True
        else:
            codes[key] = bare(text)
    holding = {key: index.get((key, code), []) for key, code in codes.items()}
    published = {key: sorted(r["id"] for r in found if is_published(r)) for key, found in holding.items()}
    published = {key: ids for key, ids in published.items() if ids}
    left = None
    for ids in published.values():
        narrowed = ids if left is None else [id for id in left if id in ids]
        if len(narrowed) == 1:
            return {"id": narrowed[0], "kind": "", "products": []}
        if narrowed:
            left = narrowed
    if published:
        return {"id": None, "kind": "ambiguous", "products": sorted({id for ids in published.values() for id in ids})}
    others = {r["id"]: r for found in holding.values() for r in found}
    if others:
        replaced = {id: succession(r) for id, r in sorted(others.items()) if r["status"] == "replaced"}
        products = sorted(others)
        if replaced:
            reasons = [text if len(replaced) == 1 else f"{id} {text}" for id, text in replaced.items()]
            return {"id": None, "kind": "replaced", "products": products, "reason": "; ".join(reasons)}
        if all(r["status"] == "inactive" for r in others.values()):
            return {"id": None, "kind": "inactive", "products": products}
        return {"id": None, "kind": "left out by a condition" if any(r["status"] == "inactive" for r in others.values()) else "rejected", "products": products}
    if not codes:
        return {"id": None, "kind": "no code" if bad else "empty", "products": []}
    if "ean" in codes and wrong_digit(codes["ean"]):
        return {"id": None, "kind": "wrong check digit", "products": []}
    return {"id": None, "kind": "not found", "products": []}


with open(sys.argv[2], encoding="cp850", newline="") as lines, open(sys.argv[3], "w") as out:
    for number, line in enumerate(lines.read().split("\r\n"), 1):
        if line.replace(";", "").strip() == "":
            continue
        cells = line.split(";")
        result = judge(cells[:2])
        out.write(json.dumps({"line": number, "kept": cells[2:], **result}) + "\n")
