type PreviewKind = 'pdf' | 'image' | 'text' | 'sheet' | 'word' | 'email' | 'none'

/** The ending decides where the type is that of a container, such as a ZIP or OLE file. */
const KINDS: readonly [PreviewKind, RegExp, RegExp][] = [
  ['pdf', /^application\/pdf$/, /\.pdf$/i],
  // SVG can contain scripts, so it is not among the images.
  ['image', /^image\/(png|jpeg|gif|webp|avif|bmp)$/, /\.(png|jpe?g|gif|webp|avif|bmp)$/i],
  ['sheet', /spreadsheetml|ms-excel\.sheet|^text\/(csv|tab-separated-values)$/, /\.(xlsx|xlsm|csv|tsv)$/i],
  ['word', /wordprocessingml|ms-word\.document/, /\.(docx|docm|dotx)$/i],
  ['email', /^message\/rfc822$|ms-outlook/, /\.(eml|msg)$/i],
  ['text', /^text\/(plain|markdown)$/, /\.(txt|md|log)$/i],
]

/** Types that say nothing about the content. */
const UNKNOWN = /^(|application\/(octet-stream|zip|x-cfb|x-ole-storage))$/

/** How a file is shown, by its type and, if that says nothing, by its name. */
export function previewKind(type: string, name: string): PreviewKind {
  const byType = KINDS.find(([, types]) => types.test(type))?.[0]
  if (byType === 'text') return KINDS.find(([kind, , names]) => names.test(name) && (kind === 'sheet' || kind === 'email'))?.[0] ?? 'text'
  if (byType !== undefined) return byType
  return UNKNOWN.test(type)
    ? (KINDS.find(([kind, , names]) => kind !== 'pdf' && kind !== 'image' && names.test(name))?.[0] ?? 'none')
    : 'none'
}

/** Whether the page shows the file from its bytes. It shows a table from what the server reads of it. */
export const isShownFromBytes = (type: string, name: string): boolean => !['sheet', 'none'].includes(previewKind(type, name))
