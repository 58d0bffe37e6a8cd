import { buffer } from 'node:stream/consumers'
import { DOCUMENT_CATEGORIES } from '#contract/document-categories.ts'
import { writeWorkbook } from '#server/engines/spreadsheet/write/write-workbook.ts'
import type { Placed } from './archive-layout.ts'

const LABELS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(DOCUMENT_CATEGORIES).map(([code, { label }]) => [code, label]),
)

/** `Document Index.xlsx`: where every document lies, linked to the file beside it. */
export const documentIndex = (placed: readonly Placed[]): Promise<Buffer> =>
  buffer(
    writeWorkbook({
      sheets: [
        {
          name: 'Documents',
          frozenHeader: true,
          autoFilter: true,
          columns: [
            { header: 'Path', width: 70, kind: 'link' },
            { header: 'Original File Name', width: 40, kind: 'text' },
            { header: 'Descriptive Name', width: 40, kind: 'text' },
            { header: 'Category', width: 26, kind: 'text' },
            { header: 'Report Date', width: 12, kind: 'date' },
            { header: 'Properties', width: 50, kind: 'text' },
            { header: 'Uploaded', width: 12, kind: 'date' },
            { header: 'Size (bytes)', width: 14, kind: 'number' },
          ],
          rows: placed.map(({ path, file }) => [
            { text: path, href: path.split('/').map(encodeURIComponent).join('/') },
            file.original_file_name,
            file.vanity_name,
            LABELS[file.category] ?? file.category,
            file.report_author_date,
            file.properties
              .map(({ location_number, address, city }) => [location_number, address, city].filter(Boolean).join(' '))
              .join('; ')
              .slice(0, 2_000),
            file.created_at.toISOString().slice(0, 10),
            file.size,
          ]),
        },
      ],
    }),
  )
