import { sentenceCase } from './format.ts'

/** Codes with their labels, from which types, checks, filters and select options derive. */
export type CodeList = Readonly<Record<string, string>>

/** The codes of a list, or the keys of any other literal object. */
export const codesOf = <T extends object>(list: T) => Object.keys(list) as (keyof T & string)[] // a literal object has no other keys

/** A list whose labels are its codes: `lease_ended` is "Lease ended". */
export const labeledByCode = <const C extends string>(...codes: C[]) =>
  Object.fromEntries(codes.map((code) => [code, sentenceCase(code.replaceAll('_', ' '))])) as Readonly<Record<C, string>> // one label for each code

/** The label of a code; any other text as it is, such as the name of a property that every object has. */
export const labelOf = (code: string, labels: Readonly<Record<string, string>>): string =>
  Object.hasOwn(labels, code) ? (labels[code] ?? code) : code
