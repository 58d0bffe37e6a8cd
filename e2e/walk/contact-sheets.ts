import { join } from 'node:path'
import sharp from 'sharp'
import { SCHEMES } from '../support/screens.ts'
import { SIZES, type Size, type Visit } from './visit.ts'

const THUMBS = {
  desktop: { width: 480, height: 400, columns: 4, rows: 4 },
  phone: { width: 240, height: 560, columns: 8, rows: 3 },
} as const satisfies Record<Size, object>
const LABEL_PX = 30
const GAP_PX = 8
const LABEL_CHARACTER_PX = 6.4

/** Writes the pictures of a role as labeled thumbnails, for each size and scheme; returns the paths. */
export async function writeContactSheets(folder: string, role: string, visits: readonly Visit[]): Promise<string[]> {
  const paths: string[] = []
  for (const size of Object.keys(SIZES) as Size[])
    for (const scheme of SCHEMES) {
      const shown = visits.flatMap(({ address, pictures }) =>
        pictures.filter((picture) => picture.size === size && picture.scheme === scheme).map(({ path }) => ({ address, path })),
      )
      const { columns, rows } = THUMBS[size]
      for (let begin = 0; begin < shown.length; begin += columns * rows) {
        const path = join(folder, `sheet-${role}-${size}-${scheme}-${begin / (columns * rows) + 1}.png`)
        await writeSheet(path, size, shown.slice(begin, begin + columns * rows))
        paths.push(path)
      }
    }
  return paths
}

async function writeSheet(path: string, size: Size, shown: readonly { address: string; path: string }[]): Promise<void> {
  const { width, height, columns } = THUMBS[size]
  const [stepX, stepY] = [width + GAP_PX, height + LABEL_PX + GAP_PX]
  const parts = await Promise.all(
    shown.map(async (one, index) => {
      const [left, top] = [GAP_PX + (index % columns) * stepX, GAP_PX + Math.floor(index / columns) * stepY]
      const thumb = await thumbnail(one.path, width, height)
      return [
        { input: label(one.address, width), left, top },
        { input: thumb, left, top: top + LABEL_PX },
      ]
    }),
  )
  const rows = Math.ceil(shown.length / columns)
  await sharp({ create: { width: GAP_PX + columns * stepX, height: GAP_PX + rows * stepY, channels: 3, background: '#7a5cc0' } })
    .composite(parts.flat())
    .png()
    .toFile(path)
}

/** In the full width, cut at the bottom. */
async function thumbnail(path: string, width: number, height: number): Promise<Buffer> {
  const { data, info } = await sharp(path).resize({ width }).png().toBuffer({ resolveWithObject: true })
  if (info.height <= height) return data
  return sharp(data).extract({ left: 0, top: 0, width, height }).png().toBuffer()
}

/** Ids are shortened to their ends, which differ. */
function label(address: string, width: number): Buffer {
  const short = address.replace(/[0-9a-f]{8}-[0-9a-f-]{23}([0-9a-f]{4})/g, '$1')
  const text = short.slice(0, Math.floor(width / LABEL_CHARACTER_PX)).replace(/[<&]/g, (sign) => (sign === '<' ? '&lt;' : '&amp;'))
  return Buffer.from(
    `<svg width="${width}" height="${LABEL_PX}" xmlns="http://www.w3.org/2000/svg"><rect width="100%" height="100%" fill="#ffffff"/><text x="4" y="20" font-family="DejaVu Sans, Arial, sans-serif" font-size="11">${text}</text></svg>`,
  )
}
