import { sql, type SqlBool } from 'kysely'
import type { FileRow } from '#contract/account-files.ts'
import { DOCUMENT_CATEGORIES } from '#contract/document-categories.ts'
import { TEXT_GROUPS } from '#contract/document-texts.ts'
import { seesBrokerage, seesUploaders, visibleFiles } from '#server/access/account-files.ts'
import { visibleLinked } from '#server/access/account-properties.ts'
import { equalsId } from '#server/access/scope.ts'
import type { Context } from '#server/engines/context.ts'
import { defineDatatable, type FilterDefinition } from '#server/engines/datatable/define-datatable.ts'
import { choiceFilter, idFilter, sinceFilter, yesNoFilter, yesOrNo } from '#server/engines/datatable/filters.ts'
import type { SearchedBy } from '#server/engines/record/search-records.ts'
import { idIn } from '#server/engines/record/define-record.ts'
import { CATEGORY_LABELS, presentFileRow } from './files.presenter.ts'
import { hasAge } from './file-age.ts'
import { loadFiles } from './files.queries.ts'
import { filesWithText, hasTextState, matchesOfFiles } from './texts.queries.ts'

/** Not by a property in the trash, which the document does not name either. */
const LINKED = sql<SqlBool>`EXISTS (SELECT 1 FROM account_file_properties l JOIN account_properties p ON p.id = l.property_id
  WHERE l.file_id = account_files.id AND p.deleted_at IS NULL)`
const PROPERTY_CATEGORIES = Object.entries(DOCUMENT_CATEGORIES).flatMap(([code, { linkedTo }]) => (linkedTo === 'properties' ? [code] : []))

const CATEGORIES_JSON = JSON.stringify(CATEGORY_LABELS)

const flag = (label: string, column: 'sov' | 'private' | 'provided_by_broker'): FilterDefinition => ({
  label,
  type: 'boolean',
  where: (value) => {
    const yes = yesOrNo(value)
    return yes === undefined ? undefined : sql<SqlBool>`${sql.ref(`account_files.${column}`)} = ${yes}`
  },
})

async function privateAmong({ db }: Context, ids: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM account_files WHERE id = ANY(${`{${ids}}`}::uuid[]) AND private`.execute(db)
  return rows.map(({ id }) => id)
}
const isTextGroup = (value: string): value is keyof typeof TEXT_GROUPS => Object.hasOwn(TEXT_GROUPS, value)

const NAME = sql`coalesce(account_files.vanity_name, account_files.original_file_name)`

export const FILE_SEARCH: SearchedBy = {
  joins: sql`JOIN accounts a ON a.id = account_files.account_id`,
  name: NAME,
  detail: sql`concat_ws(' · ', ${sql.lit(CATEGORIES_JSON)}::jsonb ->> account_files.category, a.name)`,
  account: sql`account_files.account_id`,
  ranked: [NAME, sql`account_files.original_file_name`],
  order: sql`account_files.created_at DESC`,
}

export const fileDatatable = defineDatatable<FileRow>({
  model: 'account_files',
  marksNew: true,
  visible: visibleFiles,
  canExport: 'view_download_document_list_button',
  dependsOn: ['account_files', 'account_properties'],
  dependsOnDate: true,
  accountColumn: 'account_id',
  // The number of documents would reveal how many private ones there are.
  namesFiles: privateAmong,
  alsoMatches: filesWithText,
  defaultSort: { column: 'created_at', order: 'desc' },
  columns: {
    name: {
      label: 'Name',
      primary: true,
      width: 224,
      sort: { by: sql`lower(${NAME})` },
      // The list shows either of them.
      exported: { followedBy: 'original_file_name' },
    },
    category: { label: 'Category', width: 156, sort: { by: sql`account_files.category` } },
    report_author_date: { label: 'Report date', width: 134, sort: { by: sql`account_files.report_author_date`, nullsLast: true } },
    properties: { label: 'Properties', width: 144 },
    size: { label: 'Size', align: 'right', width: 112, sort: { by: sql`account_files.size` }, exported: { label: 'Size (bytes)' } },
    created_by: { label: 'Uploaded by', width: 118, isSeen: seesUploaders },
    created_at: { label: 'Uploaded', width: 116, sort: { by: sql`account_files.created_at` } },
    original_file_name: {
      label: 'Original file name',
      default: false,
      width: 250,
      sort: { by: sql`lower(account_files.original_file_name)` },
    },
    private: { label: 'Private', default: false, width: 90, sort: { by: sql`account_files.private` } },
    provided_by_broker: {
      label: 'Provided by broker',
      default: false,
      width: 150,
      isSeen: seesBrokerage,
      sort: { by: sql`account_files.provided_by_broker` },
    },
  },
  filters: {
    account_id: idFilter('Account', 'account_files.account_id'),
    sov: { ...flag('Submission document', 'sov'), hidden: true },
    added_since: sinceFilter('Added since', (moment) => sql<SqlBool>`account_files.created_at > ${moment}`),
    private: flag('Private', 'private'),
    provided_by_broker: flag('Provided by broker', 'provided_by_broker'),
    property_id: {
      label: 'Property',
      type: 'text',
      hidden: true,
      // Only properties that the viewer sees, so that the filter does not reveal others.
      where: (value, _values, { viewer }) =>
        sql<SqlBool>`EXISTS (SELECT 1 FROM account_file_properties l WHERE l.file_id = account_files.id AND ${equalsId('l.property_id', value)}
          AND ${visibleLinked(viewer, 'l.property_id')})`,
    },
    category: choiceFilter('Category', 'account_files.category', CATEGORY_LABELS),
    unlinked: {
      ...yesNoFilter(
        'Needs a property',
        () =>
          sql<SqlBool>`(account_files.category = ANY(${PROPERTY_CATEGORIES}::text[]) AND NOT account_files.covers_all_properties AND NOT ${LINKED})`,
      ),
      help: 'Yes: documents of a category that is usually linked to properties, without a property. No: all others.',
    },
    stale: yesNoFilter('Out of date', (ctx) => hasAge(ctx, ['stale', 'critical'])),
    no_date: yesNoFilter('Report date missing', (ctx) => hasAge(ctx, ['no_date'])),
    text: {
      label: 'Text',
      type: 'multiselect',
      onScreens: true,
      options: () => Object.entries(TEXT_GROUPS).map(([value, { label }]) => ({ value, label })),
      where: (_value, values) => {
        const states = values.flatMap((value) => (isTextGroup(value) ? TEXT_GROUPS[value].states : []))
        return states.length === 0 ? undefined : hasTextState(states)
      },
    },
    // Only documents that the viewer sees, so that the filter does not reveal others.
    duplicate: yesNoFilter(
      'Same file twice',
      ({ viewer }) => sql<SqlBool>`EXISTS (SELECT 1 FROM account_files t WHERE t.account_id = account_files.account_id
        AND t.sha256 = account_files.sha256 AND t.id <> account_files.id AND t.deleted_at IS NULL AND ${visibleFiles(viewer, 't')})`,
    ),
  },
  rows: async (ctx, ids, search) => {
    const [records, matches] = await Promise.all([loadFiles(ctx, idIn('account_files', ids)), matchesOfFiles(ctx, ids, search)])
    return records.map((record) => presentFileRow(ctx.viewer, record, matches.get(record.id)))
  },
})
