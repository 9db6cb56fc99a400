/** Bidirectional overrides, separators, zero-width and control characters: they change what the eye reads. */
const hidden = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** The text with each character that could mislead written as its code point, e.g. `⟨U+202E⟩` (case B113). */
export function visibleText(text: string): string {
  return text.replaceAll(hidden, (mark) => {
    const code = mark.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
