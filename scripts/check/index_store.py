"""Reads the compiler's index with libIndexStore of the toolchain."""
import collections
import ctypes
import pathlib
import shutil

# Roles of an occurrence, with the values of indexstore.h.
DEFINITION, REFERENCE = 1 << 1, 1 << 2

Occurrence = collections.namedtuple("Occurrence", "file line usr name roles")


class StringRef(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


class Index:
    """Reads the occurrences of symbols in an index store."""

    def __init__(self, store):
        toolchain = pathlib.Path(shutil.which("swiftc")).resolve().parent.parent
        self.library = library = ctypes.CDLL(str(toolchain / "lib/libIndexStore.so"))
        for name in ["store_create", "unit_reader_create", "record_reader_create", "occurrence_get_symbol"]:
            getattr(library, "indexstore_" + name).restype = ctypes.c_void_p
        for name in ["unit_reader_get_main_file", "unit_dependency_get_name", "symbol_get_usr", "symbol_get_name"]:
            getattr(library, "indexstore_" + name).restype = StringRef
        library.indexstore_occurrence_get_roles.restype = ctypes.c_uint64
        self.error = ctypes.c_void_p()
        self.folder = pathlib.Path(store)
        self.store = self.pointer("store_create", str(store).encode())

    def pointer(self, name, *arguments):
        made = getattr(self.library, "indexstore_" + name)(*arguments, ctypes.byref(self.error))
        if not made:
            raise SystemExit(f"libIndexStore: {name} failed")
        return ctypes.c_void_p(made)

    def each(self, name, owner, kind, read, *options):
        """Returns the values that an `apply` function of the library passes to its callback, converted by `read`."""
        found = []
        callback = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, kind)(lambda _, value: found.append(read(value)) or True)
        getattr(self.library, f"indexstore_{name}_apply_f")(owner, *options, None, callback)
        return found

    def unit(self, name, sources):
        """Returns the main file of a unit, and the names of its records if the file is in a folder."""
        library = self.library
        reader = self.pointer("unit_reader_create", self.store, name.encode())
        file, records = str(library.indexstore_unit_reader_get_main_file(reader)), []

        def dependency(value):
            value = ctypes.c_void_p(value)
            is_record = library.indexstore_unit_dependency_get_kind(value) == 2
            return str(library.indexstore_unit_dependency_get_name(value)) if is_record else None
        if file.startswith(f"{sources}/"):
            records = self.each("unit_reader_dependencies", reader, ctypes.c_void_p, dependency)
        library.indexstore_unit_reader_dispose(reader)
        return file, [record for record in records if record]

    def records(self, sources, every_unit):
        """Returns the records of each existing file in a folder.

        They are those of its newest unit, as older ones stay in the store; or of every unit, where files are compiled for
        several platforms.
        """
        newest = {}
        for name in self.each("store_units", self.store, StringRef, str, ctypes.c_uint(0)):
            paths = list(self.folder.glob(f"v*/units/{name}"))
            time = paths[0].stat().st_mtime_ns if paths else 0
            file, records = self.unit(name, sources)
            if not records or not pathlib.Path(file).exists():
                continue
            if every_unit:
                newest.setdefault(file, (0, []))[1].extend(records)
            elif time >= newest.get(file, (0, []))[0]:
                newest[file] = (time, records)
        return {file: records for file, (_, records) in newest.items()}

    def occurrences(self, sources, every_unit=False):
        """Yields the occurrences of symbols in the files of a folder."""
        library = self.library
        line, column = ctypes.c_uint(), ctypes.c_uint()

        def occurrence(value):
            value = ctypes.c_void_p(value)
            symbol = ctypes.c_void_p(library.indexstore_occurrence_get_symbol(value))
            library.indexstore_occurrence_get_line_col(value, ctypes.byref(line), ctypes.byref(column))
            return (line.value, str(library.indexstore_symbol_get_usr(symbol)), str(library.indexstore_symbol_get_name(symbol)),
                    library.indexstore_occurrence_get_roles(value))
        for file, records in sorted(self.records(sources, every_unit).items()):
            for record in set(records):
                reader = self.pointer("record_reader_create", self.store, record.encode())
                for found in self.each("record_reader_occurrences", reader, ctypes.c_void_p, occurrence):
                    yield Occurrence(file, *found)
                library.indexstore_record_reader_dispose(reader)
