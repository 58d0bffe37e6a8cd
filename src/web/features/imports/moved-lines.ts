import { z } from 'zod'
import { fieldLabel } from './import-words.ts'

const Moved = z.object({ moved: z.array(z.object({ full_address: z.string(), fields: z.array(z.string()) })) })

/** What moved in the register, a line for each property, from the data of a 409. */
export function movedLines(data: unknown): string[] {
  const parsed = Moved.safeParse(data)
  if (!parsed.success) return []
  return parsed.data.moved.map(({ full_address, fields }) =>
    fields.length === 0 ? full_address : `${full_address}: ${fields.map(fieldLabel).join(', ')}`,
  )
}
