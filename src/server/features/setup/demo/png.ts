import { crc32, deflateSync } from 'node:zlib'
import type { Random } from './random.ts'

const WIDTH = 480
const HEIGHT = 320
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

type Colour = readonly [red: number, green: number, blue: number]

const WALLS: readonly Colour[] = [
  [181, 141, 109],
  [150, 158, 166],
  [203, 190, 160],
  [139, 92, 76],
]

/** A drawn front of a building as a PNG, eight bits a channel: sky, ground, a wall and its windows. */
export function drawBuilding(random: Random): Buffer {
  const pixels = Buffer.alloc(HEIGHT * (1 + WIDTH * 3))
  const fill = (left: number, top: number, right: number, bottom: number, colour: (y: number) => Colour) => {
    for (let y = top; y < bottom; y += 1) {
      for (let x = left; x < right; x += 1) pixels.set(colour(y), y * (1 + WIDTH * 3) + 1 + x * 3)
    }
  }
  const ground = 262
  const roof = random.whole(70, 150)
  const left = random.whole(50, 110)
  const right = WIDTH - random.whole(50, 110)
  const wall = random.pick(WALLS)
  fill(0, 0, WIDTH, ground, (y) => [150 + y / 5, 185 + y / 6, 225])
  fill(0, ground, WIDTH, HEIGHT, (y) => [110 - (y - ground) / 3, 122 - (y - ground) / 3, 104 - (y - ground) / 3])
  fill(left, roof, right, ground, () => wall)
  fill(left - 6, roof - 8, right + 6, roof, () => [84, 80, 78])
  for (let y = roof + 16; y + 24 < ground - 24; y += 40) {
    for (let x = left + 16; x + 26 < right - 8; x += 42)
      fill(x, y, x + 26, y + 24, () => (random.chance(0.2) ? [240, 222, 150] : [72, 92, 112]))
  }
  const door = Math.round((left + right) / 2)
  fill(door - 14, ground - 40, door + 14, ground, () => [58, 48, 42])
  return encodePng(WIDTH, HEIGHT, pixels)
}

/** Rows of three bytes a pixel, each row led by the byte of its filter, as a PNG of eight bits a channel. */
export function encodePng(width: number, height: number, pixels: Buffer): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return frame
}
