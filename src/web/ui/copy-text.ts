import { toast } from './toast.tsx'

/** Copies a text. Without permission for the clipboard, or on a page without encryption, there is none. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(done)
  } catch {
    toast.warning('This could not be copied. Select it and copy it yourself.')
  }
}
