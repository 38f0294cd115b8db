"""Makes tokens with PyJWT. Standard input: keys in PEM by algorithm, and a list of tokens. Standard output: the tokens, in order.

What PyJWT refuses to sign is put together from its parts, as attackers do.
"""

import base64
import hashlib
import hmac
import json
import sys

import jwt


def part(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=")


def made(asked, keys):
    algorithm, claims, headers = asked["alg"], asked["claims"], asked["headers"]
    if asked.get("by") == "hand":
        signed = part({"typ": "JWT", "alg": algorithm, **headers}) + b"." + part(claims)
        secret = asked["secret"].encode()
        signature = hmac.new(secret, signed, hashlib.sha256).digest() if secret else b""
        return (signed + b"." + base64.urlsafe_b64encode(signature).rstrip(b"=")).decode()
    key = None if algorithm == "none" else keys[asked.get("key", algorithm)]
    return jwt.encode(claims, key, algorithm=algorithm, headers=headers)


request = json.load(sys.stdin)
json.dump([made(asked, request["keys"]) for asked in request["tokens"]], sys.stdout)
