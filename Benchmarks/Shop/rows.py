"""Generates rows for the shop of Tests/House/Engines/Shop: many for benchmarks, a few for tests. Equal sizes give equal rows.

    python3 Benchmarks/Shop/rows.py > Tests/House/Engines/Shop/rows.json      # the rows for the tests

A table has columns with types, and rows as tuples. Dates are seconds since 1970, UTC.
"""
import calendar
import json
import random
import unicodedata

FIRST = ["Anna", "Élodie", "José", "Zoë", "Marie", "Martin", "Björn", "Łukasz", "Jana", "Peter", "Sofía", "Liam", "Noé",
         "Ingrid", "Mårten", "Chloé", "Paul", "Eva", "Renée", "Tom"]
LAST = ["Müller", "Meier", "García", "Núñez", "Smith", "O'Brien", "Dubois", "Lefèvre", "Šimek", "Novák", "Øster", "Björk",
        "Rossi", "Weiß", "Kowalski", "Genet", "Brown", "Costa", "Nagy", "Schmidt"]
CITIES = [("Berlin", "DE"), ("München", "DE"), ("Köln", "DE"), ("Zürich", "CH"), ("Basel", "CH"), ("Genève", "CH"),
          ("Wien", "AT"), ("Graz", "AT"), ("Paris", "FR"), ("Lyon", "FR"), ("London", "GB"), ("Leeds", "GB"),
          ("Madrid", "ES"), ("Málaga", "ES"), ("Kraków", "PL"), ("Praha", "CZ"), ("Oslo", "NO"), ("Århus", "DK"),
          ("Göteborg", "SE"), ("Porto", "PT")]
WORDS = ["Café Mug", "Coffee Mug", "Crème Brûlée Torch", "Running Shoes", "100% Wool Scarf", "Slim_Fit Jeans", "Señorita Dress",
         "Über Backpack", "Espresso Machine", "Garden Hose", "Wireless Headphones", "Desk Lamp", "Cotton Shirt", "Notebook"]
TINTS = ["Red", "Green", "Blue", "Black", "White"]
DETAILS = ["dishwasher safe", "100 % wool", "two years of warranty", "made in Portugal", "naïve print", "hand wash only", "recycled"]
NOTES = ["Please leave at the door", "Fragile", "ring twice", "Call before delivery", "gift wrap", "FRAGILE, handle with care"]
REMARKS = ["VIP", "new customer", "spam?", "10% off agreed", "né à Paris", "calls often"]
TITLES = ["Great", "Très bien", "Not good", "Excellent quality", "Disappointed", "Süper", ""]
SENTENCES = ["It arrived broken.", "Works as described.", "Très jolie couleur.", "Too small for me.", "Would buy again.",
             "The colour is not as shown.", "Good.", "Fast delivery."]
STATUSES = ["new", "paid", "packed", "shipped", "delivered", "delivered", "delivered", "delivered", "cancelled", "returned"]
COUPONS = ["WELCOME10", "SUMMER24", "VIP", "WINTER23"]
TAGS = ["sale", "new", "outlet", "eco", "gift", "bestseller"]
TODAY = calendar.timegm((2024, 6, 15, 0, 0, 0))
DAY = 86_400


def folded(text, marks=True):
    """The text as [cd] folds it, or as [c] does. Correct only for the texts of these rows."""
    if not marks:
        return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())
    parts = unicodedata.normalize("NFD", text).casefold()
    return "".join(part for part in parts if unicodedata.category(part) != "Mn")


class Shop:
    """`size` rows for every entity, but fewer categories and twice as many lines."""

    def __init__(self, size, seed=1):
        self.random = random.Random(seed)
        self.size = size
        self.categories = max(8, size // 100)

    def some(self, value, percent):
        """The value, or nil with the given percentage."""
        return None if self.random.random() * 100 < percent else value()

    def moment(self, days=1500):
        return TODAY - self.random.randrange(days * DAY)

    def cents(self, top):
        return f"{self.random.randrange(top * 100) / 100:.2f}"

    def one(self, count):
        """A random key. Small keys are more frequent."""
        return 1 + int(count * self.random.random() ** 2)

    def tables(self):
        return {
            "customer": self.customers(), "category": self.category_rows(), "product": self.products(),
            "orders": self.orders(), "order_line": self.lines(), "review": self.reviews(), "favorite": self.favorites(),
        }

    def customers(self):
        columns = {
            "id": "integer", "name": "text", "name_search": "text", "email": "text", "email_lower": "text", "phone": "text",
            "city": "text", "postcode": "text", "country": "text", "points": "integer", "level": "integer",
            "credit": "decimal", "active": "boolean", "blocked": "boolean", "newsletter": "integer",
            "signed_up": "timestampWithZone", "last_seen": "timestampWithZone", "birthday": "timestamp", "note": "text",
            "token": "uuid", "referrer_id": "integer",
        }
        draw, rows = self.random, []
        for key in range(1, self.size + 1):
            first, last = ("Anna", "Müller") if key % 40 == 3 else (draw.choice(FIRST), draw.choice(LAST))
            name = f"{first} {last}"
            provider = "example.com" if key % 40 == 3 or draw.random() < 0.8 else draw.choice(["mail.test", "MAIL.test"])
            local = folded(name).replace(" ", "_" if draw.random() < 0.02 else ".").replace("'", "")
            email = f"{local}.{key}@{provider}" if draw.random() > 0.01 else f"{local} {key}"
            city, country = draw.choice(CITIES)
            signed = self.moment()
            rows.append((
                key, name, folded(name), email, folded(email, marks=False),
                self.some(lambda: f"+49 {draw.choice(['30', '89', '40'])} {draw.randrange(10**6):06d}" if draw.random() > 0.1
                          else "", 20),
                self.some(lambda: city, 10), self.some(lambda: f"{draw.randrange(10**5):05d}", 10), country,
                draw.randrange(10_000), draw.randrange(6), f"{draw.randrange(-5000, 30_000) / 100:.2f}", draw.random() < 0.8,
                self.some(lambda: draw.random() < 0.05, 50), int(draw.random() < 0.4), signed,
                self.some(lambda: draw.randrange(signed, TODAY + 1), 20),
                self.some(lambda: TODAY - draw.randrange(6_000, 30_000) * DAY, 30), self.some(lambda: draw.choice(REMARKS), 70),
                self.some(lambda: f"00000000-0000-4000-8000-{key:012x}", 10),
                self.some(lambda: self.one(self.size), 70)))
        return columns, rows

    def category_rows(self):
        columns = {"id": "integer", "name": "text", "slug": "text", "position": "integer", "visible": "boolean",
                   "parent_id": "integer"}
        names = ["Électronique", "Möbel", "Kitchen", "Garden", "Books", "Elektro"]
        rows = [
            (key, f"{names[key % len(names)]} {key // len(names)}", f"category-{key}", self.random.randrange(100),
             self.random.random() < 0.9, None if key % 4 == 1 else self.one(max(1, key - 1)))
            for key in range(1, self.categories + 1)]
        # Some rows must match the search predicates.
        rows[2] = rows[2][:1] + ("Möbel 3",) + rows[2][2:]
        return columns, rows

    def products(self):
        columns = {
            "id": "integer", "sku": "text", "name": "text", "name_search": "text", "description": "text", "color": "text",
            "barcode": "text", "page": "url", "price": "decimal", "list_price": "decimal", "stock": "integer",
            "reserved": "integer", "weight": "double", "rating": "double", "active": "boolean", "featured": "integer",
            "created_at": "timestampWithZone", "discontinued_at": "timestampWithZone", "tags": "text[]",
            "category_id": "integer",
        }
        draw, rows = self.random, []
        for key in range(1, self.size + 1):
            tint = draw.choice(TINTS)
            name = f"{tint} {draw.choice(WORDS)}" + (" Pro" if draw.random() < 0.1 else "")
            kind = "MUG" if key % 3 == 0 else draw.choice(["SHO", "DRE", "BAG"])
            price = self.cents(200)
            rows.append((
                key, f"{kind}-{key:06d}-{'RD' if kind == 'MUG' else draw.choice(['BL', 'GN', 'BK'])}", name, folded(name),
                self.some(lambda: f"{name}, {draw.choice(DETAILS)}", 30), self.some(lambda: tint.lower(), 20),
                self.some(lambda: f"40063810{key:05d}", 10), self.some(lambda: f"https://shop.example/p/{key}", 10), price,
                self.some(lambda: f"{float(price) + draw.randrange(-500, 5000) / 100:.2f}", 60),
                draw.choice([0, draw.randrange(20), draw.randrange(1000)]), draw.randrange(100),
                self.some(lambda: round(draw.random() * 10, 3), 20), self.some(lambda: round(1 + draw.random() * 4, 2), 30),
                draw.random() < 0.8, int(draw.random() < 0.1), self.moment(),
                self.some(lambda: self.moment() + 30 * DAY, 85),
                [draw.choice(TAGS) for _ in range(draw.choice([0, 0, 1, 2, 3]))], self.some(lambda: self.one(self.categories), 5)))
        return columns, rows

    def orders(self):
        columns = {
            "id": "integer", "number": "text", "status": "text", "currency": "text", "placed_at": "timestampWithZone",
            "shipped_at": "timestampWithZone", "delivered_at": "timestampWithZone", "total": "decimal", "shipping": "decimal",
            "discount": "decimal", "paid": "boolean", "gift": "integer", "priority": "integer", "coupon": "text", "note": "text",
            "customer_id": "integer",
        }
        draw, rows = self.random, []
        for key in range(1, self.size + 1):
            placed = self.moment()
            shipped = self.some(lambda: placed + draw.randrange(5 * DAY), 25)
            delivered = None if shipped is None else self.some(lambda: shipped + draw.randrange(-DAY // 8, 5 * DAY), 20)
            rows.append((
                key, f"A-{draw.choice([2023, 2024])}-{key:07d}", draw.choice(STATUSES),
                draw.choice(["EUR", "EUR", "EUR", "CHF", "DKK"]), placed, shipped, delivered, self.cents(1000), self.cents(20),
                self.some(lambda: self.cents(100), 70), draw.random() < 0.8, int(draw.random() < 0.05), draw.randrange(10),
                self.some(lambda: draw.choice(COUPONS), 80), self.some(lambda: draw.choice(NOTES + [""]), 70),
                self.one(self.size)))
        return columns, rows

    def lines(self):
        columns = {
            "id": "integer", "quantity": "integer", "price": "decimal", "rebate": "double", "returned": "integer",
            "note": "text", "order_id": "integer", "product_id": "integer",
        }
        draw = self.random
        rows = [
            (key, draw.choice([1, 1, 1, 2, 3, draw.randrange(1, 60)]), self.cents(100),
             self.some(lambda: draw.choice([0.05, 0.1, 0.2, 0.25, 0.5]), 80), int(draw.random() < 0.05),
             self.some(lambda: draw.choice(["broken", "Broken lid", "wrong size"]), 95), 1 + draw.randrange(self.size),
             self.one(self.size))
            for key in range(1, 2 * self.size + 1)]
        return columns, rows

    def reviews(self):
        columns = {
            "id": "integer", "stars": "integer", "title": "text", "body": "text", "language": "text",
            "created_at": "timestampWithZone", "verified": "boolean", "helpful": "integer", "reported": "integer",
            "product_id": "integer", "author_id": "integer",
        }
        draw = self.random
        rows = [
            (key, draw.choice([1, 2, 3, 4, 4, 5, 5, 5]), self.some(lambda: draw.choice(TITLES), 20),
             " ".join(draw.choice(SENTENCES) for _ in range(draw.randrange(1, 6))), draw.choice(["de", "fr", "en"]),
             self.moment(), draw.random() < 0.7, draw.randrange(100), int(draw.random() < 0.01), self.one(self.size),
             self.some(lambda: self.one(self.size), 10))
            for key in range(1, self.size + 1)]
        return columns, rows

    def favorites(self):
        pairs = {(self.one(self.size), self.one(self.size)) for _ in range(self.size)}
        return {"customer_id": "integer", "product_id": "integer"}, sorted(pairs)


def told(value, kind):
    """A value as a text for Tests/House/Engines, where dates count from 2001."""
    if kind.endswith("[]"):
        return json.dumps([told(element, kind[:-2]) for element in value], ensure_ascii=False)
    if kind.startswith("timestamp"):
        return f"{value - 978_307_200}.0"
    return str(int(value)) if kind == "boolean" else str(value)


if __name__ == "__main__":
    lines = []
    for table, (columns, rows) in Shop(24).tables().items():
        told_rows = [
            json.dumps({name: told(value, kind) for (name, kind), value in zip(columns.items(), row) if value is not None},
                       ensure_ascii=False)
            for row in rows]
        lines.append(f'"{table}": [\n  ' + ",\n  ".join(told_rows) + "\n]")
    print("{\n" + ",\n".join(lines) + "\n}")
