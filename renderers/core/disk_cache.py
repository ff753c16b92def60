"""The disk cache of scenes and sprites, keyed by everything they depend on.

The key of an entry is a hash of its painter's sources, the painter's arguments (theme and size among
them), and the versions of the drawing libraries. An entry is therefore never wrong, only outdated: a
generation of sources that was not used for a month is deleted, and the least recently used entries
are deleted when the cache is full. Only scenes and sprites are stored: no finished picture, no name.
No other user can list the folder; and what is looked up for one viewer alone is not even touched in it.

A corrupt, read-only or full folder costs time and never a picture. Each such fault is logged once.
ADR 0016 says why no library does this.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import stat
import struct
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from PIL import Image, features

from renderers.core.deflate import zlib

log = logging.getLogger(__name__)

MAGIC = b"BAUTA-ART-1\n"
SUFFIX = ".art"
LEVEL = 1
MAX_UNUSED_S = 30 * 86_400
"""Seconds after which an unused generation is deleted."""

SIZE_LIMIT = 256 << 20
"""Bytes of all entries together. They are counted when a process starts, and again after each eighth of
this that the process has written itself."""

MAX_PIXEL_BYTES = 64 << 20
"""Bytes of pixels of an entry; a header that claims more is invalid."""

_HEADER = struct.Struct(">4sIIH")
"""Mode, width, height, bytes of palette."""

_MODES = {"L": 1, "P": 1, "RGB": 3, "RGBA": 4}
"""Bytes of a pixel in the modes that are cached; pictures in other modes are painted every time."""

_GENERATION = 24
"""Characters of the hash that names a generation's folder."""

LINK = "it is a link, or no folder"
FOREIGN = "it belongs to another user"
OPEN = "other users can list it"

_QUIETLY = getattr(os, "O_NOATIME", None)
"""Flag that opens a file without changing its access time; ``None`` if the system has none."""

_TOOLS = ("Pillow", "font-amatic-sc", "font-source-sans-pro", "font-source-serif-pro")


@dataclass(slots=True)
class DiskCache:
    """A folder of scenes and sprites. Safe for threads and between processes."""

    folder: Path
    size_limit: int = SIZE_LIMIT
    """Bytes of all entries together, after :meth:`prune`."""
    _reported: set[str] = field(default_factory=set)
    _written: int = 0
    """Bytes written since the entries were counted."""
    _touched: set[Path] = field(default_factory=set)
    """Entries that this process has marked as used: once is enough."""

    def make_private(self) -> bool:
        """Create the folder, private to its user; return whether it is private.

        One that others can read is made private if it holds nothing but entries and the bot's own pulse.
        """
        try:
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            self.folder.mkdir(mode=0o700, exist_ok=True)
            fault = privacy_fault(self.folder)
            if fault is None:
                return True
            if fault == OPEN and all(map(_is_ours, self.folder.iterdir())):
                self.folder.chmod(0o700)
                log.info("picture cache: others could list it: made private")
                return True
        except OSError as error:
            self._warn_once("use", "the picture cache cannot be used (%s): pictures are painted again", error)
        else:
            more = ", and it holds other things" if fault == OPEN else ""
            log.warning("picture cache: not used: %s%s", fault, more)
        return False

    def get(self, package: str, name: str, make: Callable[[], Image.Image]) -> Image.Image:
        """Return the cached picture, or what ``make`` paints, which is cached then.

        The picture depends on the sources of ``package`` and on what ``name`` says, on nothing else.
        """
        path = self.path(package, name)
        found = self._read(path)
        if found is None:
            found = make()
            self._write(path, found)
        elif path not in self._touched:
            with suppress(OSError):  # a read-only folder serves as well
                os.utime(path)
                os.utime(path.parent)
        self._touched.add(path)
        return found

    def find(self, package: str, name: str) -> Image.Image | None:
        """Return the cached picture, if there is one. The lookup leaves no trace on the disk."""
        return None if _QUIETLY is None else self._read(self.path(package, name))

    def path(self, package: str, name: str) -> Path:
        """Return the file of an entry."""
        return self.folder / sources(package) / (hashlib.sha256(name.encode()).hexdigest()[:40] + SUFFIX)

    def prune(self) -> None:
        """Delete unused generations, then the least recently used entries until all fit."""
        self._written = 0
        with suppress(OSError):
            # Last use, bytes and path of every file there, even one that a killed process left half written.
            found: list[tuple[float, int, Path]] = []
            for folder in self.folder.iterdir():
                if not folder.is_dir() or len(folder.name) != _GENERATION:
                    continue
                if folder.stat().st_mtime < time.time() - MAX_UNUSED_S:
                    shutil.rmtree(folder, ignore_errors=True)
                    continue
                for path in folder.iterdir():
                    with suppress(FileNotFoundError):
                        status = path.stat()
                        found.append((status.st_mtime, status.st_size, path))
            excess = sum(size for _, size, _ in found) - self.size_limit
            for _, size, path in sorted(found):
                if excess <= 0:
                    break
                # Another process may delete the same files at the same time.
                with suppress(OSError):
                    path.unlink(missing_ok=True)
                    excess -= size

    def _read(self, path: Path) -> Image.Image | None:
        try:
            with open(path, "rb", opener=_quietly) as file:
                return unpack(file.read())
        except FileNotFoundError:
            return None
        except OSError as error:
            self._warn_once(
                "read", "the picture cache cannot be read (%s): pictures are painted again", error
            )
        except ValueError:
            self._warn_once("bad", "the picture cache has a broken entry: it is painted again")
        return None

    def _write(self, path: Path, image: Image.Image) -> None:
        if not packable(image):
            return
        data = pack(image)
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.utime(path.parent)
            # A reader must never see half an entry, even if others write it at the same time.
            handle, name = tempfile.mkstemp(dir=path.parent)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                Path(name).replace(path)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        except OSError as error:
            self._warn_once(
                "write", "the picture cache cannot be written (%s): pictures are painted again", error
            )
            return
        self._written += len(data)
        if self._written > self.size_limit // 8:
            self.prune()

    def _warn_once(self, trouble: str, text: str, error: OSError | None = None) -> None:
        if trouble not in self._reported:
            self._reported.add(trouble)
            args = () if error is None else (error.strerror or type(error).__name__,)
            log.warning(text, *args)


def privacy_fault(folder: Path) -> str | None:
    """Return why others could list a folder or put another in its place; ``None``: they cannot.

    Raises ``OSError``.
    """
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode):
        return LINK
    if status.st_uid != os.geteuid():
        return FOREIGN
    return OPEN if status.st_mode & 0o077 else None


def _is_ours(item: Path) -> bool:
    if item.is_dir():
        return len(item.name) == _GENERATION
    return item.name.endswith((".pulse", ".pulse.new"))


def _quietly(path: str, flags: int) -> int:
    return os.open(path, flags | (_QUIETLY or 0) | os.O_CLOEXEC)


def packable(image: Image.Image) -> bool:
    """Return whether an image is of a mode that :func:`pack` knows."""
    return image.mode in _MODES


def pack(image: Image.Image) -> bytes:
    """Return an entry: a digest of the rest, a header, palette and pixels compressed."""
    colours = bytes(image.getpalette() or ()) if image.mode == "P" else b""
    head = _HEADER.pack(image.mode.encode().ljust(4), image.width, image.height, len(colours))
    body = head + zlib.compress(colours + image.tobytes(), LEVEL)
    return MAGIC + hashlib.sha256(body).digest() + body


def unpack(data: bytes) -> Image.Image:
    """Return the image of an entry; raises ``ValueError`` for anything that :func:`pack` did not return."""
    start = len(MAGIC) + hashlib.sha256().digest_size
    body = data[start:]
    if data[:start] != MAGIC + hashlib.sha256(body).digest() or len(body) < _HEADER.size:
        raise ValueError("not an entry")
    padded, width, height, colours = _HEADER.unpack_from(body)
    mode = padded.decode("ascii").strip()
    size = colours + width * height * _MODES.get(mode, MAX_PIXEL_BYTES)
    if size > MAX_PIXEL_BYTES:
        raise ValueError("too large")
    # A broken or foreign entry must not grow beyond what its header claims.
    flat = zlib.decompressobj().decompress(body[_HEADER.size :], size)
    if len(flat) != size:
        raise ValueError("cut off")
    image = Image.frombytes(mode, (width, height), flat[colours:])
    if mode == "P":
        image.putpalette(flat[:colours])
    return image


@cache
def sources(package: str) -> str:
    """Return a hash of the sources and data of a package and of the core, and of the libraries' versions."""
    found = hashlib.sha256()
    for name in _TOOLS:
        found.update(f"{name} {version(name)}\n".encode())
    found.update(f"{features.version('freetype2')} {MAGIC!r}\n".encode())
    for name in sorted({package, __package__ or ""}):
        for where, item in _written(files(name), name):
            found.update(f"{where}\n".encode())
            found.update(hashlib.sha256(item.read_bytes()).digest())
    return found.hexdigest()[:_GENERATION]


def _written(folder: Traversable, where: str) -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.is_dir():
            found += _written(item, f"{where}/{item.name}")
        elif item.name.endswith((".py", ".json")):
            found.append((f"{where}/{item.name}", item))
    return found


def key_text(value: object) -> str:
    """Return a value as text: texts are equal if and only if values are.

    Raises ``TypeError`` for a value of a type that has no such text.
    """
    if value is None or isinstance(value, str):
        return repr(value)
    if isinstance(value, (int, float)):  # 1, 1.0 and True are equal, and so one key of the memory cache too
        return repr(float(value))
    if isinstance(value, Enum):
        return f"{type(value).__qualname__}.{value.name}"
    if isinstance(value, tuple):
        return f"({','.join(key_text(item) for item in value)})"
    if is_dataclass(value) and not isinstance(value, type):
        parts = (f"{part.name}={key_text(getattr(value, part.name))}" for part in fields(value))
        return f"{type(value).__qualname__}({','.join(parts)})"
    raise TypeError(f"{type(value).__name__} has no plain text")
