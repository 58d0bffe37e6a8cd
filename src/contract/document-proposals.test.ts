import { describe, expect, it } from 'vitest'
import { DOCUMENT_NAMES } from './document-names.fixture.ts'
import { suggestCategory, type NewDocument } from './document-proposals.ts'

const suggested = (path: string, more: Partial<NewDocument> = {}) => suggestCategory({ path, type: '', ...more })

describe('the suggested category', () => {
  it('is right for at least 95% of more than 300 realistic file names, and for at least 97% of those it answers', () => {
    const wrong = DOCUMENT_NAMES.filter(({ category, name }) => suggested(name) !== category)
    const answered = DOCUMENT_NAMES.filter(({ name }) => suggested(name) !== 'other')
    expect(DOCUMENT_NAMES.length).toBeGreaterThan(300)
    expect(wrong.length / DOCUMENT_NAMES.length, wrong.map(({ name }) => name).join('\n')).toBeLessThan(0.05)
    expect(wrong.filter((one) => answered.includes(one)).length / answered.length).toBeLessThan(0.03)
  })

  it.each([
    ['Loss runs 2021-2026.pdf', 'loss_run'],
    ['Schedule of values.pdf', 'sov'],
    ['Schedules of Values 2026.xlsx', 'sov'],
    ['RoofReport2024.pdf', 'roof'],
    ['Payment schedule.pdf', 'other'],
    ['Rooftop bar menu.pdf', 'other'],
  ])('of %s is %s', (path, category) => {
    expect(suggested(path)).toBe(category)
  })

  it('is that of the type for messages, drawings and most images', () => {
    expect(suggested('FW loss runs.pdf', { type: 'message/rfc822' })).toBe('correspondence')
    expect(suggested('Level 2.dwg')).toBe('plans')
    expect(suggested('12', { type: 'image/jpeg' })).toBe('photo')
    expect(suggested('roof north.jpg')).toBe('photo')
    expect(suggested('elevation certificate.jpg')).toBe('flood')
  })

  it('of a spreadsheet with the columns of a schedule is a statement of values unless its name clearly says otherwise', () => {
    expect(suggested('Final.xlsx', { isSchedule: true })).toBe('sov')
    expect(suggested('Valuation 2026.xlsx', { isSchedule: true })).toBe('sov')
    expect(suggested('Appraisal by building.xlsx', { isSchedule: true })).toBe('appraisal')
  })

  it('of COPE data is a statement of values only for a spreadsheet, which has all buildings', () => {
    expect(suggested('COPE data all buildings.xlsx')).toBe('sov')
    expect(['COPE 6.pdf', 'COPE data - Mill 2.docx'].map((name) => suggested(name))).toEqual(['other', 'other'])
  })

  it('comes from the nearest folder that says something if the name does not', () => {
    expect(suggested('Renewal/Roof reports/Bldg 4.pdf')).toBe('roof')
    expect(suggested('Appraisals/Loss runs/Chubb.pdf')).toBe('loss_run')
    expect(suggested('Roof reports/Lease.pdf')).toBe('lease')
  })
})
