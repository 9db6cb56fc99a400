import * as z from 'zod';

/** A JSON Schema, or a part of an OpenAPI document. */
export type JsonObject = { [name: string]: unknown };

/** Which side of a schema is told: what may be sent, with defaults left out; or what is answered. */
type Side = 'input' | 'output';

/** JSON Schemas of the contract's zod schemas, one for each name, as an OpenAPI document refers to them. */
export class JsonSchemas {
  readonly #names = new Map<z.ZodType, string>();
  readonly #made: Partial<Record<Side, Readonly<Record<string, JsonObject>>>> = {};
  readonly #used = new Map<string, JsonObject>();

  /** @param contract what a module exports: each `thingSchema` becomes `Thing` */
  constructor(contract: Readonly<Record<string, unknown>>) {
    for (const [name, value] of Object.entries(contract)) {
      if (!(value instanceof z.ZodType)) continue;
      const bare = name.replace(/Schema$/, '');
      this.#names.set(value, bare.charAt(0).toUpperCase() + bare.slice(1));
    }
  }

  /**
   * What stands for a schema in a document; what it names goes to the components.
   * @throws Error when a name would have two meanings: what is sent and what is answered differ
   */
  of(schema: z.ZodType, side: Side): JsonObject {
    const id = this.#names.get(schema);
    if (id !== undefined) {
      this.#use(id, side);
      return { $ref: `#/components/schemas/${id}` };
    }
    const made = schemasOf(new Map([...this.#names, [schema, 'Inline']]), side).Inline ?? {};
    this.#useNamed(made, side);
    return made;
  }

  /** As `of`, written out though it may have a name. */
  whole(schema: z.ZodType, side: Side): JsonObject {
    const id = this.#names.get(schema);
    const made = id === undefined ? this.of(schema, side) : (this.#side(side)[id] ?? {});
    this.#useNamed(made, side);
    return made;
  }

  /** Everything that was referred to so far, by name. */
  components(): JsonObject {
    return Object.fromEntries([...this.#used].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  #use(id: string, side: Side): void {
    const schema = this.#side(side)[id] ?? {};
    const known = this.#used.get(id);
    if (known === undefined) {
      this.#used.set(id, schema);
      this.#useNamed(schema, side);
    } else if (JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`the schema ${id} is sent and answered, and differs: give one of both a name of its own`);
    }
  }

  #useNamed(schema: JsonObject, side: Side): void {
    for (const [, id = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) this.#use(id, side);
  }

  #side(side: Side): Readonly<Record<string, JsonObject>> {
    const made = this.#made[side] ?? schemasOf(this.#names, side);
    this.#made[side] = made;
    return made;
  }
}

function schemasOf(names: ReadonlyMap<z.ZodType, string>, side: Side): Readonly<Record<string, JsonObject>> {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of names) registry.add(schema, { id });
  const uri = (id: string) => `#/components/schemas/${id}`;
  const { schemas } = z.toJSONSchema(registry, { uri, io: side, unrepresentable: 'any', override: forPeople });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema as JsonObject]),
  );
}

/** Leaves out what says nothing to a person, or would forbid fields that later versions add to an answer. */
function forPeople({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  const { def } = zodSchema._zod;
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties;
}
