import { parseNumber } from './number-text.ts'
import { failure, isPlaceholder, NOTHING, placeholder, warning, type ColumnStyle, type Reading } from './reading.ts'

const NUMBER_WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  )
const STORIES_MAX = 150

/** Stories above grade; `two`, `G+3`, `2 + bsmt` and `1-3` are understood. */
export function readStories(cell: string | number | boolean, style: ColumnStyle): Reading {
  if (typeof cell === 'number') return checked(cell)
  const text = String(cell).replace(/\s+/g, ' ').trim().toLowerCase()
  if (/^(-+|none)$/.test(text)) return NOTHING
  if (isPlaceholder(text)) return placeholder(text)
  if (/^(low|mid|high)[ -]?rise$|^various$|^varies$/.test(text)) {
    return warning('placeholder_value', `“${text}” is not a number of stories, so the field stays empty. Type the number if you know it.`)
  }
  const basement = /^(.+?)\s*(?:\+|&|and|with|w\/)\s*(?:a )?(?:bsmt|basement|b)\.?$/.exec(text)
  if (basement) return { ...readStories(basement[1] ?? '', style), also: { basement_levels: 1 } }
  const ground = /^g\s*\+\s*(\d+)$/.exec(text)
  if (ground) return checked(Number(ground[1]) + 1)
  const range = /^(\d+)\s*(?:-|to|–|\/)\s*(\d+)(?: (?:stories|story|floors))?$/.exec(text)
  if (range) {
    const highest = Math.max(Number(range[1]), Number(range[2]))
    return { ...warning('placeholder_value', `“${text}” is read as ${highest}, the highest. Type one number if that is wrong.`, highest) }
  }
  const bare = text.replace(/\s*(stor(y|ies|ey|eys)|floors?|fl)\.?$/, '')
  const number = NUMBER_WORDS.includes(bare) ? NUMBER_WORDS.indexOf(bare) : parseNumber(bare, style.european)
  return number === undefined
    ? failure('not_a_number', `“${text}” is not a number of stories. Type a number such as 2, or leave the cell empty.`)
    : checked(number)
}

function checked(stories: number): Reading {
  if (stories === 0)
    return warning('placeholder_value', '0 stories stands for “unknown”, so the field stays empty. Type the number if you know it.')
  if (stories < 0 || stories > STORIES_MAX)
    return failure('out_of_range', `${stories} is not between 1 and ${STORIES_MAX} stories. Correct the number or leave the cell empty.`)
  if (!Number.isInteger(stories))
    return warning('not_an_integer', `${stories} stories is kept as written. Type a whole number if that is wrong.`, stories)
  return { value: stories }
}
