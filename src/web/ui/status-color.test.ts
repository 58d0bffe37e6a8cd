import { expect, it } from 'vitest'
import { colorOnDark, contrast, statusColor } from './status-color.ts'

it('measures the contrast of two colors', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#6A1B9A', '#182430')).toBeLessThan(2)
})

it.each(['#6A1B9A', '#000000', '#1976D2', '#2E7D32', '#616161', '#C62828', '#F9A825'])(
  'shows the status color %s with a contrast of at least 3:1 on the dark surface',
  (color) => {
    for (const surface of ['#182430', '#1e2b37']) expect(contrast(colorOnDark(color), surface)).toBeGreaterThanOrEqual(3)
  },
)

it('leaves colors that are light enough, and CSS variables', () => {
  expect(statusColor('#F9A825')).toBe('light-dark(#F9A825, #F9A825)')
  expect(statusColor('var(--line-strong)')).toBe('var(--line-strong)')
})
