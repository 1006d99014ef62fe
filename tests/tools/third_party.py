#!/usr/bin/env python3
"""Writes the notices of everything that is in the executable: third_party.py [CARGO FLAGS, such as --features pdf] > THIRD-PARTY.txt

One part for each crate that the executable is linked with on this platform, or on that of --filter-platform, in the order
of their names: version, licence as its author states it, where it comes from, and the texts that its package holds. What
has no text in its package is named on standard error, and its licence's own text stands once at the end. The same
Cargo.lock gives the same bytes. No dependencies.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXTS = re.compile(r"^(licen[cs]e|copying|notice|copyright|unlicense)", re.IGNORECASE)
RULE = "=" * 100


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def linked(metadata):
    """The packages that the executable is linked with: no build scripts, macros or tests."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    packages = {package["id"]: package for package in metadata["packages"]}
    is_macro = lambda package: any("proc-macro" in target["kind"] for target in package["targets"])
    found, todo = set(), [metadata["resolve"]["root"]]
    while todo:
        for dependency in nodes[todo.pop()]["deps"]:
            is_normal = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if is_normal and dependency["pkg"] not in found and not is_macro(packages[dependency["pkg"]]):
                found.add(dependency["pkg"])
                todo.append(dependency["pkg"])
    others = found - set(metadata["workspace_members"])
    return sorted((packages[one] for one in others), key=lambda one: (one["name"], one["version"]))


def texts(package):
    folder = pathlib.Path(package["manifest_path"]).parent
    named = package.get("license_file")
    files = [path for path in folder.iterdir() if path.is_file() and TEXTS.match(path.name)]
    if named and (folder / named).is_file() and folder / named not in files:
        files.append(folder / named)
    # Vendored code has licences of its own, such as BLAKE or SQLite below the crate.
    return [(path.name, path.read_text("utf-8", "replace").strip()) for path in sorted(files)]


def main():
    flags = sys.argv[1:]
    if "--filter-platform" not in flags:
        flags += ["--filter-platform", re.search(r"^host: (.*)$", output("rustc", "-vV"), re.MULTILINE).group(1)]
    metadata = json.loads(output("cargo", "metadata", "--format-version", "1", "--locked", *flags))
    without = []
    print("deckproof is MIT OR Apache-2.0. Its executable holds code of others, under their licences:\n")
    print("- the standard library of Rust, MIT OR Apache-2.0, the Rust Project Developers")
    packages = linked(metadata)
    for package in packages:
        print(f"- {package['name']} {package['version']}, {package['license'] or 'see its text'}")
    if any(package["name"] == "libsqlite3-sys" for package in packages):
        print("- SQLite, in libsqlite3-sys: in the public domain")
    platform = flags[flags.index("--filter-platform") + 1]
    if platform.endswith("-musl"):
        print("- musl: MIT, copyright 2005-2020 Rich Felker and others")
    if platform.endswith("-windows-gnu"):
        print("- the runtime of mingw-w64: in the public domain, and Zope Public License 2.1")
    for package in packages:
        found = texts(package)
        print(f"\n{RULE}\n{package['name']} {package['version']}")
        print(f"Licence: {package['license'] or 'see below'}")
        print(f"From: {package['repository'] or package['homepage'] or 'crates.io'}")
        if package["authors"]:
            print(f"Authors: {', '.join(package['authors'])}")
        if not found:
            without.append(package["name"])
            print("Its package holds no text; those of MIT and Apache-2.0 stand at the end.")
        for name, text in found:
            print(f"\n--- {name}\n{text}")
    for name in ["LICENSE-MIT", "LICENSE-APACHE"]:
        print(f"\n{RULE}\n{name} of deckproof\n\n{(ROOT / name).read_text('utf-8').strip()}")
    if without:
        print(f"without a text in their package: {', '.join(without)}", file=sys.stderr)


main()
