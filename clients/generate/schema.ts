/** The part of JSON Schema that the OpenAPI document uses. */

export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  enum?: readonly string[];
  const?: string;
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  patternProperties?: Readonly<Record<string, Schema>>;
}

/** `true`, `1` and their like are one word for programs. */
export const isBoolean = (schema: Schema): boolean => schema.enum?.includes('true') ?? false;
/** A parameter that takes instants beside text. */
export const isInstant = (name: string): boolean => /_date$|_since$/.test(name);

export const propertiesOf = (schema: Schema): [name: string, property: Schema, isRequired: boolean][] =>
  Object.entries(schema.properties ?? {}).map(([name, property]) => [name, property, schema.required?.includes(name) ?? false]);
