"""Compares the public API of two versions, as scripts/generate/api writes it, for scripts/release."""
import collections
import re

Difference = collections.namedtuple("Difference", "removed required added")


def offered(digests):
    """Returns the lines of each product with those of the products that it exports, from the texts of the files."""
    own = {name: {line for line in text.splitlines() if line and line[0] != "#"} for name, text in digests.items()}
    found = {}
    for name in own:
        exported = [name]
        for one in exported:
            exported += [other for other in own if f"@_exported import {other}" in own[one] and other not in exported]
        found[name] = set().union(*(own[one] for one in exported))
    return found


def difference(old, new):
    """Returns the lines that were removed or changed, new requirements of protocols that existed, and other additions.

    A declaration may become deprecated, and a requirement may get a default: these changes are additions.
    """
    before, after = offered(old), offered(new)
    result = Difference(set(), set(), set())
    for name in before.keys() | after.keys():
        was, now = before.get(name, set()), after.get(name, set())
        known, kept = {plain(line) for line in was}, {plain(line) for line in now}
        protocols = {line.split(":")[0] for line in was if re.search(r": (?:@\w+ )*protocol ", line)}
        result.removed.update(line for line in was if not {plain(line), optional(plain(line))} & kept)
        for line in now - was:
            scope, _, text = line.partition(": ")
            is_required = scope in protocols and text.startswith("requirement ") and plain(line) not in known
            (result.required if is_required else result.added).add(line)
    return result


def plain(line):
    """Returns a line without the note that the declaration is deprecated."""
    return re.sub(r"  // deprecated$|(?<=  // )deprecated, ", "", line)


def optional(line):
    """Returns the line of a member of a protocol as a requirement with a default."""
    scope, _, text = line.partition(": ")
    return f"{scope}: optional requirement {text.removeprefix('requirement ')}"


def step(change):
    """Returns the least place of the version number that must grow: 0 for major, 1 for minor, 2 for patch."""
    return 0 if change.removed or change.required else 1 if change.added else 2
