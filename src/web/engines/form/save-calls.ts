import type { Form } from '#contract/form.ts'
import { Id, json, type Call } from '#contract/route.ts'
import { z } from 'zod'
import { api } from '#web/data/client.ts'
import { models, type FormModel } from '#web/data/models.ts'

const Body = z.record(z.string(), z.unknown())
const Saved = z.looseObject({ id: Id })
const anyBody = <C extends Call>({ method, path, can, summary }: C) =>
  ({ method, path, can, summary, body: Body, output: json(Saved) }) as const

export interface SavedRecord {
  id: string
  message: string
}

/** Saves what `bodyOf` made; the server checks it against the input schema of the model. Throws an ApiError. */
export async function saveRecord(model: FormModel, form: Form, body: Record<string, unknown>): Promise<SavedRecord> {
  const calls = models[model].calls
  const { data, message } =
    form.id === null
      ? await api(anyBody(calls.create), { body })
      : await api({ ...anyBody(calls.update), params: z.object({ id: Id }) }, { params: { id: form.id }, body })
  return { id: data.id, message }
}
