/** A whole number above 0 that an option gives. @throws Error that names the option */
export function positive(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${option}: '${text}' is not a whole number above 0`);
  return value;
}
