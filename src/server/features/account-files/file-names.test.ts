import { describe, expect, it } from 'vitest'
import { LINEAR_AT_MOST, growth } from '#contract/growth.fixture.ts'
import { ARCHIVE_PART_BYTES, ARCHIVE_PART_CHARACTERS } from '#contract/limits.ts'
import { cleanFileName, folderOf, pathGiver, safePart, withExtensionOf } from './file-names.ts'
import { propertyFolders } from './property-folders.ts'

const bytesOf = (text: string) => Buffer.byteLength(text)
/** File systems allow 255 bytes for each part of a path. */
const longestPart = (path: string) => Math.max(...path.split('/').map(bytesOf))
const FAMILY = '👨‍👩‍👧'
const property = (values: Partial<Parameters<typeof propertyFolders>[0][number]> = {}) => ({
  id: '1',
  location_number: '1',
  building_number: '1',
  property_name: null,
  address: '1 Main St',
  city: 'Springfield',
  state: 'IL',
  ...values,
})
const folders = (...values: Parameters<typeof property>[0][]) => [...propertyFolders(values.map(property)).values()]

describe('names in archives', () => {
  it.each([
    ['emoji', '🏢'.repeat(100)],
    ['Chinese', '楼'.repeat(100)],
    ['Hindi', 'हिन्दी'.repeat(40)],
    ['families', FAMILY.repeat(40)],
  ])('fit into the bytes of file systems in %s, with a number and the extension', (_what, name) => {
    const give = pathGiver()
    const folder = `Properties/${folders({ property_name: name })[0]}/01 Statement of values/`
    const paths = Array.from({ length: 12 }, () => give(folder, `${name}.xlsx`))
    for (const path of paths) {
      expect(longestPart(path)).toBeLessThanOrEqual(255)
      expect(bytesOf(path)).toBeLessThan(400)
      expect(path.isWellFormed()).toBe(true)
    }
    expect(new Set(paths).size).toBe(12)
    expect(paths[11]).toMatch(/ \(12\)\.xlsx$/)
  })

  it('stay within the limit with the number of a copy', () => {
    const give = pathGiver()
    const paths = Array.from({ length: 100 }, () => give('Photographs/', `${'x'.repeat(200)}.jpg`))
    expect(paths[99]).toMatch(/x \(100\)\.jpg$/)
    for (const path of paths) expect(path.length - 'Photographs/'.length).toBe(ARCHIVE_PART_CHARACTERS)
  })

  it('are numbered around a name that has such a number of its own', () => {
    const give = pathGiver()
    const names = ['a.jpg', 'a (2).jpg', 'A.jpg', 'a (2).jpg', 'a.jpg'].map((name) => give('', name))
    expect(names).toEqual(['a.jpg', 'a (2).jpg', 'A (3).jpg', 'a (2) (2).jpg', 'a (4).jpg'])
  })

  it('are given in a time that grows with their number, not with its square', () => {
    const name = (copies: number) => {
      const give = pathGiver()
      for (let copy = 0; copy < copies; copy += 1) give('Photographs/', 'image001.jpg')
    }
    expect(growth(name, 2_500)).toBeLessThan(LINEAR_AT_MOST)
  })

  it('are cut between graphemes', () => {
    const cut = safePart(`x${FAMILY.repeat(40)}`)
    expect(cut).toBe(`x${FAMILY.repeat((cut.length - 1) / FAMILY.length)}`)
    expect(bytesOf(cut)).toBeGreaterThan(ARCHIVE_PART_BYTES - bytesOf(FAMILY))
    expect(safePart('e\u0323\u0302'.repeat(100))).toBe('ệ'.repeat(ARCHIVE_PART_BYTES / bytesOf('ệ')))
  })

  it('have a single character that is longer than a name replaced', () => {
    expect(safePart(`e${'\u0335'.repeat(500)}`)).toBe('-')
  })
})

describe('names of uploaded files', () => {
  const most = FAMILY.repeat(31)

  it('are cut between graphemes, before the extension', () => {
    expect(cleanFileName(`${FAMILY.repeat(40)}.pdf`)).toBe(`${most}.pdf`)
    expect(withExtensionOf(`x${most}.pdf`, 'plan.sketch')).toBe(`x${FAMILY.repeat(30)}.sketch`)
  })

  it('stay as they are up to 255 characters', () => {
    const name = `${most}${'x'.repeat(255 - most.length - 4)}.pdf`
    expect(cleanFileName(name)).toBe(name)
    expect(withExtensionOf(name, 'plan.doc')).toBe(name.replace(/pdf$/, 'doc'))
  })

  it('are rejected if they are a single character that is too long', () => {
    expect(() => cleanFileName(`e${'\u0335'.repeat(500)}`)).toThrow()
  })

  it('have a folder that is cut between graphemes', () => {
    const folder = folderOf(`${FAMILY.repeat(200)}/plan.pdf`) ?? ''
    expect(folder).toBe(FAMILY.repeat(125))
  })
})

describe('the folder of a property', () => {
  it('has its place in full, and as much of a long name as fits', () => {
    const [folder = ''] = folders({ property_name: 'Distribution Center of the Greater Midwest Storage Company and its Subsidiaries' })
    expect(folder).toMatch(/^001 - Distribution Center of the Greater Midwest Storage .*[^ ], Springfield IL$/)
    expect(folder.length).toBeLessThanOrEqual(ARCHIVE_PART_CHARACTERS)
  })

  it('has a part of a place that is longer than a name', () => {
    const [folder = ''] = folders({ property_name: 'Mill', city: 'Llan'.repeat(60) })
    expect(folder).toMatch(/^001 - Mill, (Llan){10,}/)
    expect(folder.length).toBeLessThanOrEqual(ARCHIVE_PART_CHARACTERS)
  })

  it('is unique after long names are cut', () => {
    const name = '🏢'.repeat(100)
    const all = folders({ id: '1', property_name: `${name} 1` }, { id: '2', property_name: `${name} 2` })
    expect(all[0]).toMatch(/^001 - 🏢+, Springfield IL$/u)
    expect(all[1]).toMatch(/^001 - 🏢+, Springfield IL \(2\)$/u)
    expect(all[1]?.length).toBeLessThanOrEqual(ARCHIVE_PART_CHARACTERS)
  })
})
