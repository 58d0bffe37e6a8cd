import { describe, expect, test } from 'vitest'
import { unclearUnits } from './unit-notes.ts'

describe('texts about units', () => {
  test.each([
    'Everything but contents is in thousands',
    'All but contents in thousands',
    'Except for BI all values are in thousands',
    'Alle Werte in TEUR außer BI',
    'Alle Werte in TEUR außer Betriebsunterbrechung',
    'Alle Werte in Tausend Euro, BU in Euro',
    'Beträge in TEUR, nicht Inhalt',
    'Valores en miles excepto contenido',
    'Valores en miles salvo lucro cesante',
    'Montants en milliers d’euros sauf contenu',
    "Montants en milliers d'euros hors pertes d'exploitation",
    'With the exception of BI, all amounts are in thousands',
    'Every column but BI is in $000',
    'Values are in thousands; BI isn’t',
    "Values are in thousands; BI isn't",
    'Only the building column is not in thousands',
    'The last column is in thousands',
    'All values in thousands, contents too',
    'Contents might be in thousands',
    'Values shown in thousands only',
    'Everything but the garage is in thousands',
    'Values in thousands other than BI',
    'USD thousands (BI: USD)',
    'In $000s (-BI)',
    'In $000s: Building, BI = $',
    'Contents or BI in thousands',
    'Contents not in thousands, the others are',
    'Acme – Contents in thousands – the rest, too',
    'In thousands: buildings. In dollars: contents',
    'Statement of values: buildings and contents ($000s)',
    'All values in $000s except BI in full dollars and contents in $ millions',
  ])('that are not understood completely are unclear: “%s”', (text) => {
    expect(unclearUnits([text])).toEqual([{ text, factors: text.includes('millions') ? [1_000, 1_000_000] : [1_000] }])
  })
  test('that contradict each other are unclear', () =>
    expect(unclearUnits(['Contents in thousands', 'Contents in millions'])).toEqual([
      { text: 'Contents in thousands', factors: [1_000] },
      { text: 'Contents in millions', factors: [1_000_000] },
    ]))
  test('that the next cell limits are unclear', () =>
    expect(unclearUnits(['All values in $000s', '(except BI)'])).toEqual([
      { text: 'All values in $000s', factors: [1_000] },
      { text: '(except BI)', factors: [] },
    ]))
  test.each([
    'All values in thousands',
    'In TEUR',
    '(000s)',
    'Alle Werte in Tausend Euro',
    'Valores en miles de euros',
    'Schedule No. 5, values in thousands',
    'All amounts in thousands unless otherwise stated',
    'Values are in thousands, not in millions',
    'Values not in thousands',
    'Do not enter amounts in thousands',
    'Building (not in 000s)',
    'Do not change the contents',
    'Premiums and deductibles are in thousands',
    'Contents are in thousands',
    'All values except BI are in $000s',
    'Only contents are in thousands',
  ])('are clear, or announce nothing: “%s”', (text) => expect(unclearUnits([text])).toEqual([]))
})
