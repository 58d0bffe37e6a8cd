import type { AccountFile, FileRow } from '#contract/account-files.ts'
import type { Cell } from '#contract/datatable.ts'
import type { TextMatch } from '#contract/document-texts.ts'
import { DOCUMENT_CATEGORIES } from '#contract/document-categories.ts'
import { fullAddress } from '#contract/property-format.ts'
import { fileRules, seesBrokerage, seesShelfLife, seesUploaders } from '#server/access/account-files.ts'
import { timezoneOf, type Viewer } from '#server/access/viewer.ts'
import { bytesCell, dateCell, labelCell, plainDateCell, textCell } from '#server/engines/datatable/cells.ts'
import type { Unmarked } from '#server/engines/datatable/define-datatable.ts'
import { displayName } from './file-names.ts'
import type { FileRecord } from './files.queries.ts'
import { shownNumber } from './versions.queries.ts'

export const CATEGORY_LABELS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(DOCUMENT_CATEGORIES).map(([code, { label }]) => [code, label]),
)

const propertyOf = (property: FileRecord['properties'][number]) => ({
  id: property.id,
  full_address: fullAddress(property),
  address: { value: property.address },
})

const uploaderOf = (viewer: Viewer, { creator_name: name, creator_email: email }: FileRecord): AccountFile['created_by'] =>
  name === null || !seesUploaders(viewer) ? null : { full_name: name, email: email ?? '' }

export function presentFile(viewer: Viewer, record: FileRecord, url: string | null = null): AccountFile {
  const properties = record.properties.map(propertyOf)
  return {
    ...record,
    file: { original_file_name: record.original_file_name, type: record.content_type, size: record.size },
    status: 'accessible',
    properties,
    propertyIds: properties.map(({ id }) => id),
    created_by: uploaderOf(viewer, record),
    file_number: shownNumber(viewer, record),
    provided_by_broker: record.provided_by_broker && seesBrokerage(viewer),
    ...(seesShelfLife(viewer) ? {} : { age: null, current_until: null }),
    created_at: record.created_at.toISOString(),
    progress: null,
    url,
    text: record.text,
    accessible_features: fileRules(viewer, record),
  }
}

export function presentFileRow(viewer: Viewer, record: FileRecord, match?: TextMatch): Unmarked<FileRow> {
  const file = presentFile(viewer, record)
  return {
    id: record.id,
    deleted_at: record.deleted_at?.toISOString() ?? null,
    name: textCell(displayName(record)),
    category: labelCell(record.category, CATEGORY_LABELS),
    report_author_date: plainDateCell(record.report_author_date),
    properties: { value: file.properties.length, text: propertiesText(file) },
    size: bytesCell(record.size),
    created_by: textCell(file.created_by?.full_name ?? null),
    created_at: dateCell(record.created_at, timezoneOf(viewer)),
    original_file_name: textCell(record.original_file_name),
    private: yesCell(record.private),
    provided_by_broker: yesCell(file.provided_by_broker),
    file,
    text_match: match ?? null,
  }
}

/** All of them, for exports. */
const propertiesText = ({ covers_all_properties: coversAll, properties }: AccountFile): string =>
  coversAll ? 'All properties' : properties.map(({ full_address: address }) => address).join('; ')
const yesCell = (value: boolean): Cell => ({ value, text: value ? 'Yes' : '' })
