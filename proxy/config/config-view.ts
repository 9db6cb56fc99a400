import { OdpError } from '../errors/odp-error.ts';
import { findParameter, type NameOfType, type ParameterName, parameterTable } from './parameter-table.ts';
import { type ParameterValue, parseValue } from './values.ts';

/**
 * The values in force in one thread, parsed once for each change: reading one is a property read. Built from
 * `ConfigStore.texts()` and kept up to date by `apply` with what `ConfigStore.onApplied` tells.
 */
export class ConfigView {
  readonly #values: Record<string, ParameterValue>;
  readonly #texts: Record<string, string>;

  /**
   * @param texts value texts by parameter name; those left out have their default. Names of no parameter are ignored.
   * @param wider the view that all but `texts` comes from; see `derive`
   */
  constructor(texts: Readonly<Record<string, string>>, wider?: ConfigView) {
    // What a narrower view does not have itself is found along the prototype chain.
    this.#values = wider === undefined ? {} : Object.create(wider.#values);
    this.#texts = wider === undefined ? {} : Object.create(wider.#texts);
    for (const spec of parameterTable) {
      const text = texts[spec.name] ?? (wider === undefined ? spec.defaultText : undefined);
      if (text !== undefined) this.apply(spec.name, text);
    }
  }

  /** A view with some texts of its own; whatever else is put in force in this one shows in that one, too. */
  derive(texts: Readonly<Record<string, string>>): ConfigView {
    return new ConfigView(texts, this);
  }

  /** Puts a new text in force in this view. @throws OdpError UNKNOWN_PARAMETER, INVALID_PARAMETER */
  apply(name: string, text: string): void {
    const spec = findParameter(name);
    if (spec === undefined) throw new OdpError('UNKNOWN_PARAMETER', { name });
    this.#values[spec.name] = parseValue(spec, text);
    this.#texts[spec.name] = text;
  }

  bool(name: NameOfType<'bool'>): boolean {
    return this.#values[name] === true;
  }

  /** A count, or a number in the unit that the parameter's row names. */
  int(name: NameOfType<'int'>): number {
    return Number(this.#values[name]);
  }

  /** Milliseconds, with a fraction when the text is in µs. */
  timeMs(name: NameOfType<'time'>): number {
    return Number(this.#values[name]) / 1000;
  }

  bytes(name: NameOfType<'capacity'>): number {
    return Number(this.#values[name]);
  }

  /** The text as it was typed, whatever the type. */
  text(name: ParameterName): string {
    return this.#texts[name] ?? '';
  }

  /** Items of a list, empty ones left out. */
  list(name: NameOfType<'list'>): readonly string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value : [];
  }
}
