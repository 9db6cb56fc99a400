/** Control and format characters (zero-width, bidirectional overrides) and line separators: they change what the eye reads. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The text with each character that could mislead written as its code point, e.g. `⟨U+202E⟩` (case B113). */
export function visibleText(text: string): string {
  return text.replaceAll(hidden, (mark) => {
    const code = mark.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
