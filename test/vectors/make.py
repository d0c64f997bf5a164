#!/usr/bin/env python3
"""Makes the test vectors of docs/protocol.md without any code of wats: Python's hashlib, and openssl 3 for Ed25519.

Usage: python3 test/vectors/make.py          writes the JSON files beside it
       python3 test/vectors/make.py --check  compares them with what it would write
"""
import base64
import hashlib
import hmac
import json
import pathlib
import subprocess
import sys
import tempfile
import unicodedata

HERE = pathlib.Path(__file__).resolve().parent
NOW = 1_800_000_000  # the receiver's clock in every vector


# --- primitives -------------------------------------------------------------------------------------------------


def hkdf_sha256(secret, info):
    """RFC 5869 with an empty salt, 32 bytes."""
    key = hmac.new(bytes(32), secret, hashlib.sha256).digest()
    return hmac.new(key, info + b"\x01", hashlib.sha256).digest()


def openssl(*arguments, stdin=b""):
    return subprocess.run(["openssl", *arguments], input=stdin, capture_output=True, check=True).stdout


PKCS8 = bytes.fromhex("302e020100300506032b657004220420")


def public_key(seed):
    return openssl("pkey", "-inform", "DER", "-pubout", "-outform", "DER", stdin=PKCS8 + seed)[-32:]


def sign(seed, message):
    with tempfile.TemporaryDirectory() as folder:
        key, text = pathlib.Path(folder, "key"), pathlib.Path(folder, "message")
        key.write_bytes(PKCS8 + seed)
        text.write_bytes(message)
        return openssl("pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", str(key), "-in", str(text))


def author_seed(secret, profile):
    name = unicodedata.normalize("NFC", profile).encode()
    info = b"wats author v1\x00" + name
    seed = hkdf_sha256(secret, info)
    # A second opinion on HKDF from openssl itself.
    other = openssl("kdf", "-keylen", "32", "-binary", "-kdfopt", "digest:SHA256", "-kdfopt", "hexkey:" + secret.hex(),
                    "-kdfopt", "hexinfo:" + info.hex(), "HKDF")
    assert seed == other
    return seed


# --- the post format --------------------------------------------------------------------------------------------

ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def string(text):
    return '"' + "".join(ESCAPES.get(c, c) for c in text) + '"'


def scalar(value):
    if value is None:
        return "null"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list):
        return "[" + ",".join(scalar(each) for each in value) + "]"
    return string(value)


BODY = ["v", "space", "author", "ts", "kind", "root", "parent", "title", "text", "tags"]


def canonical(body):
    return scalar([body[name] for name in BODY])


def encode(post, names=None):
    return "{" + ",".join(string(n) + ":" + scalar(post[n]) for n in names or BODY + ["id", "sig"]) + "}"


def finish(seed, body):
    digest = hashlib.sha256(b"wats post 1\n" + canonical(body).encode("utf-8", "surrogatepass")).digest()
    return {**body, "id": digest.hex(), "sig": sign(seed, digest).hex()}


SECRET = hashlib.sha256(b"a secret of the test vectors").digest()
SEED = author_seed(SECRET, "ann")
AUTHOR = public_key(SEED).hex()


def body(**given):
    return {"v": 1, "space": "open", "author": AUTHOR, "ts": NOW - 60, "kind": "ask", "root": None, "parent": None,
            "title": "", "text": "hello", "tags": [], **given}


# --- files ------------------------------------------------------------------------------------------------------


def authors():
    nfc, nfd = "Zo\u00eb", "Zoe\u0308"
    names = ["ann", "ann-agent", nfc, nfd, "\u674e\u96f7", "\uc544\uce74", "\u1112\u1161\u11ab", "\U0001f9ad seal", "a b"]
    rows = []
    for secret in (SECRET, bytes(32), bytes(range(32))):
        for name in names:
            seed = author_seed(secret, name)
            rows.append({"secret": secret.hex(), "profile": name, "profile_utf8": name.encode().hex(),
                         "seed": seed.hex(), "author": public_key(seed).hex()})
    return rows


def spaces():
    rows = []
    for key in (bytes(32), bytes(range(32)), hashlib.sha256(b"a swarm key of the test vectors").digest()):
        rows.append({"key": key.hex(), "file": "/key/swarm/psk/1.0.0/\n/base16/\n" + key.hex(),
                     "space": hashlib.sha256(b"wats swarm 1\n" + key).hexdigest()})
    return rows


VALID = {
    "an ask": dict(title="How do I pin a dependency?", text="The lock file keeps moving.", tags=["npm", "lock"]),
    "empty title, text and tags": dict(kind="react", text=""),
    "a reply": dict(kind="answer", root="1" * 64, parent="2" * 64, text="Pin it exactly."),
    "a reply to the root": dict(kind="clarify", root="ab" * 32, parent="ab" * 32),
    "a private space": dict(space="c0" * 32),
    "the local space": dict(space="local"),
    "emoji, joined and flagged": dict(text="\U0001f469\u200d\U0001f4bb \U0001f1e8\U0001f1ed \u2764\ufe0f"),
    "Chinese, Japanese, Korean": dict(title="\u4f60\u597d", text="\u3053\u3093\u306b\u3061\u306f \uc548\ub155", tags=["\u6f22\u5b57"]),
    "quotes and backslashes": dict(title='"quoted"', text='C:\\dir\\"file" \\n is not a newline', tags=['\\"']),
    "newline and tab": dict(title="two\nlines", text="a\tb\n\n\tc", tags=["a\tb"]),
    "slashes are not escaped": dict(text="</script> a/b"),
    "line and paragraph separator": dict(text="a\u2028b\u2029c"),
    "right to left, and marks that reorder": dict(text="\u05e9\u05dc\u05d5\u05dd \u202eabc\u202c \u2067x\u2069"),
    "characters outside the first plane": dict(title="\U00010348\U0002070e", text="\U0010fffd"),
    "tag characters, zero width, byte order mark": dict(text="a\U000e0041\u200b\ufeffb"),
    "decomposed text stays decomposed": dict(text="Zoe\u0308 and Zo\u00eb"),
    "no-break space and non-characters": dict(text="\u00a0\ufdd0\uffff"),
    "an unknown kind": dict(kind="x2_y"),
    "the longest kind": dict(kind="k" * 32),
    "text of 16,384 bytes": dict(text="\u00e9" * 8192),
    "text of 16,384 bytes, each escaped": dict(text='"' * 16384),
    "title of 200 code points": dict(title="\U0001f9ad" * 200),
    "16 tags of 64 bytes": dict(tags=["t" * 64] * 16),
    "ts 0": dict(ts=0),
    "ts 600 seconds ahead": dict(ts=NOW + 600),
}


def valid():
    rows = []
    for name, given in VALID.items():
        post = finish(SEED, body(**given))
        rows.append({"name": name, "canonical": canonical(post), "id": post["id"], "sig": post["sig"],
                     "encoded": encode(post)})
    return rows


# Each of these bodies breaks one rule; everything else about the post, the signature too, is right.
BROKEN = {
    "shape": {
        "v 2": dict(v=2), "v as a string": dict(v="1"), "a space of another form": dict(space="Open"),
        "a space of upper-case hex": dict(space="C0" * 32), "an empty space": dict(space=""),
        "ts as a string": dict(ts=str(NOW)), "ts before 1970": dict(ts=-1), "an upper-case kind": dict(kind="Ask"),
        "an empty kind": dict(kind=""), "a kind of 33 letters": dict(kind="k" * 33), "a kind with a newline": dict(kind="ask\n"),
        "a short root": dict(root="1" * 63, parent="2" * 64), "a parent of upper-case hex": dict(root="1" * 64, parent="AB" * 32),
        "a root of white space": dict(root="", parent=""), "title null": dict(title=None), "text a number": dict(text=5),
        "tags null": dict(tags=None), "a tag that is a number": dict(tags=["a", 5]), "tags nested": dict(tags=[["a"]]),
    },
    "bad_thread": {
        "a root without a parent": dict(root="1" * 64), "a parent without a root": dict(parent="1" * 64),
    },
    "too_large": {
        "text of 16,385 bytes": dict(text="\u00e9" * 8192 + "x"), "title of 201 code points": dict(title="\U0001f9ad" * 201),
        "17 tags": dict(tags=["t"] * 17), "a tag of 65 bytes": dict(tags=["t" * 65]), "an empty tag": dict(tags=[""]),
        "a tag of 64 characters and 128 bytes": dict(tags=["\u00e9" * 64]),
    },
    "bad_text": {
        "DEL": dict(text="a\u007fb"), "a C1 control": dict(title="\u0085"), "a C1 control in a tag": dict(tags=["\u009f"]),
    },
    "future": {"ts 601 seconds ahead": dict(ts=NOW + 601), "ts of the year 10000": dict(ts=253_402_300_800)},
}


def invalid():
    rows = []

    def add(reason, name, text):
        data = text if isinstance(text, bytes) else text.encode()
        rows.append({"name": name, "reason": reason, "hex": data.hex()})

    for reason, cases in BROKEN.items():
        for name, given in cases.items():
            add(reason, name, encode(finish(SEED, body(**given))))

    post = finish(SEED, body(text="hello", tags=["a"]))
    good = encode(post)
    for name, character, raw in [("NUL", "\x00", "\\u0000"), ("escape", "\x1b", "\\u001b"), ("carriage return", "\r", "\\r"),
                                 ("backspace", "\b", "\\b"), ("form feed", "\f", "\\f"), ("lone high surrogate", "\ud83e", "\\ud83e"),
                                 ("lone low surrogate", "\udd9d", "\\udd9d"), ("surrogates in the wrong order", "\udd9d\ud83e", "\\udd9d\\ud83e")]:
        for field in ("title", "text"):
            signed = finish(SEED, body(**{field: "a" + character + "b"}))
            shown = encode({**signed, field: "a@b"}).replace("a@b", "a" + raw + "b")
            add("bad_text", f"{name} in the {field}", shown)

    add("not_json", "nothing", b"")
    add("not_json", "half a post", good[: len(good) // 2])
    add("not_json", "something after the post", good + "x")
    add("not_json", "a byte order mark", b"\xef\xbb\xbf" + good.encode())
    add("not_json", "a raw newline in a string", good.replace("hello", "hel\nlo"))
    add("not_json", "a raw NUL in a string", good.replace("hello", "hel\0lo"))
    add("not_json", "bytes that are not UTF-8", good.encode().replace(b"hello", b"hel\xfflo"))
    add("not_json", "a surrogate written as UTF-8", good.encode().replace(b"hello", b"hel\xed\xa0\xbdlo"))
    add("not_json", "an overlong slash", good.encode().replace(b"hello", b"hel\xc0\xaflo"))
    add("not_json", "UTF-16", good.encode("utf-16-le"))
    add("not_json", "NaN", good.replace(str(NOW - 60), "NaN"))
    add("shape", "an array", canonical(post))
    add("shape", "null", b"null")
    add("shape", "a string", string("post"))
    add("shape", "deeply nested", "[" * 5_000 + "]" * 5_000)
    for name in BODY + ["id", "sig"]:
        add("shape", f"without {name}", encode(post, [n for n in BODY + ["id", "sig"] if n != name]))
    add("shape", "ts with a fraction", good.replace(str(NOW - 60), f"{NOW - 60}.5"))
    add("shape", "ts too large for a whole number", good.replace(str(NOW - 60), "9007199254740992"))
    add("shape", "ts infinite", good.replace(str(NOW - 60), "1e999"))
    add("shape", "id of upper-case hex", good.replace(post["id"], post["id"].upper()))
    add("shape", "sig cut off", good.replace(post["sig"], post["sig"][:-2]))
    add("shape", "author of upper-case hex", good.replace(AUTHOR, AUTHOR.upper()))
    add("unknown_field", "one more field", good[:-1] + ',"extra":1}')
    add("unknown_field", "__proto__", good[:-1] + ',"__proto__":{"v":1}}')
    add("unknown_field", "constructor", good[:-1] + ',"constructor":null}')
    add("unknown_field", "a name of another case", good.replace('"title"', '"Title"'))
    add("not_canonical", "white space", good.replace('","ts"', '", "ts"'))
    add("not_canonical", "a newline after the post", good + "\n")
    add("not_canonical", "fields in another order", encode(post, ["id", "sig"] + BODY))
    add("not_canonical", "a field twice, the same", good[:-1] + ',"v":1}')
    add("not_canonical", "a field twice, the last one right", good.replace('"text":"hello"', '"text":"other","text":"hello"'))
    add("not_canonical", "an escape that is not needed", good.replace("hello", "h\\u0065llo"))
    add("not_canonical", "an escaped slash", encode(finish(SEED, body(text="a/b"))).replace("a/b", "a\\/b"))
    add("not_canonical", "an escaped emoji", encode(finish(SEED, body(text="\U0001f9ad"))).replace("\U0001f9ad", "\\ud83e\\uddad"))
    add("not_canonical", "a newline as \\u000a", encode(finish(SEED, body(text="a\nb"))).replace("a\\nb", "a\\u000ab"))
    add("not_canonical", "v as 1.0", good.replace('"v":1', '"v":1.0'))
    add("not_canonical", "ts with an exponent", good.replace(str(NOW - 60), f"{(NOW - 60) // 10}e1"))
    add("not_canonical", "ts as -0", encode(finish(SEED, body(ts=0))).replace('"ts":0', '"ts":-0'))
    add("too_large", "65,537 bytes", good + " " * (65_537 - len(good.encode())))

    other = hashlib.sha256(b"other").hexdigest()
    add("unauthentic", "the id of another post", good.replace(post["id"], other))
    add("unauthentic", "another text", good.replace("hello", "hullo"))
    add("unauthentic", "a signature of another post", encode({**post, "sig": finish(SEED, body(text="x"))["sig"]}))
    add("unauthentic", "a signature of zeros", encode({**post, "sig": "0" * 128}))
    add("unauthentic", "a signature over the canonical JSON", encode({**post, "sig": sign(SEED, canonical(post).encode()).hex()}))
    add("unauthentic", "a signature over the hex of the id", encode({**post, "sig": sign(SEED, post["id"].encode()).hex()}))
    add("unauthentic", "signed by another author", encode({**post, "sig": sign(author_seed(SECRET, "bob"), bytes.fromhex(post["id"])).hex()}))
    loose = hashlib.sha256(canonical(post).encode()).digest()
    add("unauthentic", "an id without the domain", encode({**post, "id": loose.hex(), "sig": sign(SEED, loose).hex()}))
    s = int.from_bytes(bytes.fromhex(post["sig"][64:]), "little") + L
    add("unauthentic", "a signature with S + L", encode({**post, "sig": post["sig"][:64] + s.to_bytes(32, "little").hex()}))
    for name, key in small_order().items():
        forged = finish(SEED, body(author=key))
        # R = B and S = 1 fit every message where the key is the neutral point, and some where its order is small.
        add("unauthentic", f"an author of small order ({name})", encode({**forged, "sig": "58" + "66" * 31 + "01" + "00" * 31}))
    off_curve = finish(SEED, body(author="02" + "00" * 31))
    add("unauthentic", "an author that is no point of the curve", encode(off_curve))
    return rows


# --- edwards25519, as far as the points of small order need it ---------------------------------------------------

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def root_of(square):
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    return None if (x * x - square) % P else x


def plus(a, b):
    t = D * a[0] * b[0] * a[1] * b[1] % P
    return ((a[0] * b[1] + b[0] * a[1]) * pow(1 + t, -1, P) % P, (a[1] * b[1] + a[0] * b[0]) * pow(1 - t, -1, P) % P)


def times(n, point):
    result = (0, 1)
    while n:
        if n & 1:
            result = plus(result, point)
        point, n = plus(point, point), n >> 1
    return result


def small_order():
    """Every encoding of every point whose order divides 8: [L]Q for points Q of the whole curve."""
    points = set()
    for y in range(2, 80):
        x = root_of((y * y - 1) * pow(D * y * y + 1, -1, P) % P)
        if x is not None:
            points |= {times(L, (x, y)), times(L, (-x % P, y))}
    for a in list(points):
        points |= {times(n, a) for n in range(8)}
    assert len(points) == 8 and all(times(8, point) == (0, 1) for point in points)
    encodings = {}
    for x, y in sorted(points):
        order = next(n for n in (1, 2, 4, 8) if times(n, (x, y)) == (0, 1))
        for value in (y, y + P):
            # x = 0 has no sign: with the bit set, and with y + P, these are encodings that RFC 8032 doesn't allow.
            for sign_bit in {x & 1} if x else {0, 1}:
                if value < 2**255:
                    key = (value | sign_bit << 255).to_bytes(32, "little").hex()
                    encodings[f"order {order}, {key[:4]}…{key[-2:]}"] = key
    return encodings


# --- days, node ids, invites ------------------------------------------------------------------------------------


def day_fingerprint(ids):
    """LtHash with 1,024 lanes of 16 bits: the lanes of SHAKE-128 of each id, added up; then SHA-256."""
    lanes = [0] * 1024
    for each in ids:
        stream = hashlib.shake_128(b"wats day 1\n" + bytes.fromhex(each)).digest(2048)
        for i in range(1024):
            lanes[i] = (lanes[i] + int.from_bytes(stream[2 * i: 2 * i + 2], "little")) % 65536
    return hashlib.sha256(b"".join(lane.to_bytes(2, "little") for lane in lanes)).hexdigest()


def days():
    ids = [hashlib.sha256(bytes([n])).hexdigest() for n in range(40)]
    return [{"ids": ids[:n], "fingerprint": day_fingerprint(ids[:n])} for n in (1, 2, 3, 40)]


BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def node_id(seed):
    data = bytes.fromhex("002408011220") + public_key(seed)
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = BASE58[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text


def invite(key, addresses):
    payload = b"\0" if key is None else b"\1" + key
    for address in addresses:
        payload += bytes([len(address)]) + address.encode()
    line = len(payload).to_bytes(2, "big") + payload
    line += hashlib.sha256(line).digest()[:4]
    return "wats1:" + base64url(line)


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def nodes():
    seeds = [bytes(32), bytes(range(32)), SECRET]
    ids = [node_id(seed) for seed in seeds]
    address = "/ip4/192.0.2.1/tcp/4001/p2p/" + ids[0]
    second = "/dns4/node.example/tcp/443/p2p/" + ids[1]
    key = bytes(range(32))
    return {
        "nodes": [{"seed": seed.hex(), "id": each} for seed, each in zip(seeds, ids)],
        "invites": [
            {"key": None, "addresses": [address], "line": invite(None, [address])},
            {"key": key.hex(), "addresses": [address, second], "line": invite(key, [address, second])},
        ],
    }


def main():
    files = {"authors": authors(), "spaces": spaces(), "valid": {"now": NOW, "posts": valid()},
             "invalid": {"now": NOW, "posts": invalid()}, "days": days(), "nodes": nodes()}
    stale = []
    for name, value in files.items():
        path, text = HERE / f"{name}.json", json.dumps(value, indent=1) + "\n"
        if "--check" not in sys.argv:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            stale.append(path.name)
    if stale:
        sys.exit("not what make.py writes: " + ", ".join(stale))


main()
