// Reduces WOFF2 fonts to some of their characters, by HarfBuzz and the WOFF2 library. Both are npm packages (see
// package-lock.json) with code for WebAssembly.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
// HB_SUBSET_FLAGS_NO_HINTING, HB_SUBSET_SETS_NAME_ID, HB_MEMORY_MODE_DUPLICATE.
const [noHinting, nameIds, duplicate] = [1, 4, 0];

// Returns a function that takes the bytes of a WOFF2 file and the characters to keep, and returns the bytes of the smaller
// file. Throws if the packages are not installed.
export async function subsetter() {
  const woff2 = require("wawoff2");
  const module = readFileSync(require.resolve("harfbuzzjs/dist/harfbuzz-subset.wasm"));
  const { exports: hb } = (await WebAssembly.instantiate(module, {})).instance;

  return async (font, characters) => {
    const bytes = await woff2.decompress(font);
    const at = hb.malloc(bytes.length);
    new Uint8Array(hb.memory.buffer).set(bytes, at);
    const face = hb.hb_face_create(hb.hb_blob_create(at, bytes.length, duplicate, 0, 0), 0);
    const input = hb.hb_subset_input_create_or_fail();
    const wanted = hb.hb_subset_input_unicode_set(input);
    for (const one of characters) hb.hb_set_add(wanted, one.codePointAt(0));
    // Leaves out the hinting, which would be a third of the bytes, and which browsers do not need on today's screens. Of the
    // texts in a font, only the copyright and the licence stay: the licences do not let a changed font keep its name.
    hb.hb_subset_input_set_flags(input, noHinting);
    const names = hb.hb_subset_input_set(input, nameIds);
    hb.hb_set_clear(names);
    for (const id of [0, 13, 14]) hb.hb_set_add(names, id);
    const subset = hb.hb_subset_or_fail(face, input);
    if (subset === 0) throw new Error("HarfBuzz makes no subset");
    const blob = hb.hb_face_reference_blob(subset);
    const start = hb.hb_blob_get_data(blob, 0);
    // Nothing is freed: the process ends after some 20 fonts.
    const small = new Uint8Array(hb.memory.buffer, start, hb.hb_blob_get_length(blob)).slice();
    return Buffer.from(await woff2.compress(small));
  };
}
