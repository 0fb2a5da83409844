"""Xapian with positions and stems: build, ask, update and reopen as `index-probe.ts` asks for it."""

import json
import os
import resource
import sys
import time

import xapian

stemmer = xapian.Stem("en")
generator = xapian.TermGenerator()
generator.set_stemmer(stemmer)
generator.set_stemming_strategy(xapian.TermGenerator.STEM_ALL)


def document(number, page, more=""):
    made = xapian.Document()
    generator.set_document(made)
    generator.index_text(page["title"])
    generator.increase_termpos()
    generator.index_text(page["text"] + more)
    made.add_boolean_term("Q" + str(number))
    return made


def pages(file):
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def build(folder, file):
    started, before = time.perf_counter(), cpu_seconds()
    database = xapian.WritableDatabase(os.path.join(folder, "full"), xapian.DB_CREATE_OR_OVERWRITE)
    for number, page in enumerate(pages(file)):
        database.add_document(document(number, page))
    database.commit()
    database.close()
    return {
        "seconds": time.perf_counter() - started,
        "cpuSeconds": cpu_seconds() - before,
        "peakBytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "version": xapian.version_string(),
    }


def answer(database, words, way):
    terms = [stemmer(word) for word in words]
    joined = {
        "or": xapian.Query.OP_OR,
        "and": xapian.Query.OP_AND,
        "phrase": xapian.Query.OP_PHRASE,
    }[way]
    enquire = xapian.Enquire(database)
    enquire.set_query(xapian.Query(joined, terms))
    return [match.docid for match in enquire.get_mset(0, 10)]


def ask(folder, file, _pages):
    with open(file, encoding="utf-8") as text:
        queries = json.load(text)
    database = xapian.Database(os.path.join(folder, "full"))
    times = {}
    for _ in range(2):
        for way, asked in queries.items():
            times[way] = []
            for words in asked:
                started = time.perf_counter()
                answer(database, words, way)
                times[way].append((time.perf_counter() - started) * 1000)
    return times


def update(folder, file, changes):
    with open(changes, encoding="utf-8") as text:
        wanted = json.load(text)
    old = {number: page for number, page in enumerate(pages(file)) if number in set(wanted)}
    database = xapian.WritableDatabase(os.path.join(folder, "full"), xapian.DB_OPEN)
    times = []
    for number in wanted:
        started = time.perf_counter()
        database.replace_document("Q" + str(number), document(number, old[number], " changed"))
        database.commit()
        times.append((time.perf_counter() - started) * 1000)
    return {"times": times}


def reopen(folder, word):
    started = time.perf_counter()
    answer(xapian.Database(os.path.join(folder, "full")), [word], "or")
    return {"ms": (time.perf_counter() - started) * 1000}


print(json.dumps({"build": build, "ask": ask, "update": update, "reopen": reopen}[sys.argv[1]](*sys.argv[2:])))
