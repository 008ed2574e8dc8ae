#!/usr/bin/env bash
# Makes a tree of Debian 13 with libcamera, OpenCV and picamera2, which the kernel of `make pins` boots.
# It needs some minutes, 1.8 GB and root. The tree is cached.
set -euo pipefail
root=${XDG_CACHE_HOME:-$HOME/.cache}/table-companion/camera-root
python=${PYTHON:-python3}
if [ -e "$root/opt/ready" ]; then
  echo "The tree is there already: $root"
  exit 0
fi
[ "$(id -u)" = 0 ] || { echo "Only root can make a tree: sudo make cameras" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "There is no debootstrap: apt install debootstrap" >&2; exit 1; }
rm -rf "$root"
mkdir -p "$(dirname "$root")"
debootstrap --variant=minbase --include=python3-libcamera,libcamera-ipa,python3-numpy,python3-opencv,python3-prctl,udev \
  trixie "$root" >"$root.log" 2>&1 || { tail -5 "$root.log" >&2; exit 1; }
# libcamera would list its own virtual camera first, which picamera2 cannot use.
rm -f "$root/usr/share/libcamera/pipeline/virtual/virtual.yaml"
# Wheels for the tree's Python 3.13 are unpacked beside it, because it has no pip and this machine may lack its Python.
"$python" -m pip install --quiet --disable-pip-version-check --python-version 3.13 --implementation cp \
  --only-binary=:all: --no-deps --target "$root/opt/packages" \
  picamera2 simplejpeg av pillow piexif tqdm videodev2 libarchive-c jsonschema attrs referencing rpds-py \
  jsonschema-specifications msgspec click platformdirs rich
# The libraries for raw files and for a screen without a desktop have no wheels and are not needed here.
cat >"$root/opt/packages/pykms.py" <<'PY'
"""Stands in for a library that is imported, and not used."""


class _Any:
    def __getattr__(self, name):
        return self

    def __call__(self, *_, **__):
        return self


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _Any()
PY
mkdir -p "$root/opt/packages/pidng"
touch "$root/opt/packages/pidng/__init__.py"
for name in pidng/core pidng/camdefs pidng/dng pidng/defs OpenEXR; do
  cp "$root/opt/packages/pykms.py" "$root/opt/packages/$name.py"
done
touch "$root/opt/ready"
echo "The tree is at $root"
