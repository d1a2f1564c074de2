"""Writes a wheel of a package with one module: the folder, the package's name, its version, the module's text."""

import base64
import hashlib
import sys
import zipfile

folder, name, version, text = sys.argv[1:]
info = f"{name}-{version}.dist-info"
files = {
    f"{name}.py": text,
    f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
    f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
}
record = f"{info}/RECORD"
lines = []
for path, content in files.items():
    digest = base64.urlsafe_b64encode(hashlib.sha256(content.encode()).digest()).rstrip(b"=").decode()
    lines.append(f"{path},sha256={digest},{len(content.encode())}")
lines.append(f"{record},,")
with zipfile.ZipFile(f"{folder}/{name}-{version}-py3-none-any.whl", "w") as wheel:
    for path, content in {**files, record: "\n".join(lines) + "\n"}.items():
        wheel.writestr(path, content)
