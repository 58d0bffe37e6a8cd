import { sql, type Expression, type SqlBool } from 'kysely'
import { DivestInput, type PropertyRow } from '#contract/account-properties.ts'
import { FlagInput } from '#contract/flags.ts'
import { CHECKS, DISCREPANCY_GROUPS, SEVERITIES, SEVERITY_LABELS, checkOfFilter, isDiscrepancyGroup } from '#contract/checks.ts'
import { plural } from '#contract/format.ts'
import { CONSTRUCTION_CLASSES, PROPERTY_TYPES } from '#contract/property-vocabularies.ts'
import { US_STATES } from '#contract/regions.ts'
import { seesFiles, visibleFiles } from '#server/access/account-files.ts'
import { isOpenFlag } from '#server/access/flags.ts'
import { can } from '#server/access/viewer.ts'
import { raiseFlags } from '../flags/flags.commands.ts'
import { visibleProperties } from '#server/access/account-properties.ts'
import { PAIR_CHECK, notWidespread, ofCheck, ofGroup, ofSeverity, otherOfPair, seesDiscrepancies } from '#server/access/discrepancies.ts'
import { FALSE, TRUE } from '#server/access/scope.ts'
import { defineDatatable, type FilterDefinition } from '#server/engines/datatable/define-datatable.ts'
import { issueText } from '#server/engines/http/issue-text.ts'
import { choiceFilter, idFilter, ifKnown, isAnyOf, sinceFilter, yesNoFilter, yesOrNo } from '#server/engines/datatable/filters.ts'
import { prepareProperties } from '../account-files/property-downloads.commands.ts'
import { divestProperties, reactivateProperties } from './divest.commands.ts'
import { BY_LOCATION, SUMMED_VALUES, field, money, number, sorted } from './property-columns.ts'
import { HAS_TIV, propertyRows } from './properties.presenter.ts'
import { propertyValues } from './property-export.ts'

const withOrWithout = (what: string) => [
  { value: '1', label: `With ${what}` },
  { value: '0', label: `Without ${what}` },
]

type Condition = Expression<SqlBool>

/** Properties with an open discrepancy `d` that matches the condition. */
const withOpen = (condition: Condition) => sql<SqlBool>`EXISTS (SELECT 1 FROM discrepancies d
  WHERE d.account_id = account_properties.account_id AND d.property_id = account_properties.id AND d.status = 'open' AND ${condition})`

/** Both properties of the open pairs that may be duplicates. */
const inOpenPair = (condition: Condition = TRUE) => {
  const open = sql`FROM discrepancies d WHERE d.status = 'open' AND ${ofCheck(PAIR_CHECK)} AND ${condition}`
  return sql<SqlBool>`EXISTS (SELECT 1 FROM (SELECT d.account_id, d.property_id ${open} UNION ALL SELECT d.account_id, ${otherOfPair()} ${open}) pair
    WHERE pair.account_id = account_properties.account_id AND pair.property_id = account_properties.id)`
}

const either = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? FALSE : sql<SqlBool>`(${sql.join([...conditions], sql` OR `)})`

/** What the column of discrepancies counts: those of the property, and pairs that are stored at the other one. */
const HAS_OWN = either([withOpen(notWidespread()), inOpenPair(notWidespread())])

const ifAllKnown = (isKnown: (value: string) => boolean, where: (values: readonly string[]) => Condition): FilterDefinition['where'] =>
  ifKnown(isKnown, (_value, values) => where(values))

const isYesOrNo = (value: string) => yesOrNo(value) !== undefined
const isCheckFilter = (value: string) => checkOfFilter(value) !== undefined

/**
 * Filters of the properties list by open discrepancies. Several values mean any of them. The reconciliation metric counts with the same conditions, so that a count agrees with the list it opens.
 */
const discrepancyFilters: Record<string, FilterDefinition> = {
  has_discrepancy: {
    isSeen: seesDiscrepancies,
    onScreens: true,
    label: 'Has discrepancies',
    type: 'boolean',
    options: () => withOrWithout('discrepancies'),
    where: ifAllKnown(isYesOrNo, (values) => (values.some(yesOrNo) ? HAS_OWN : sql<SqlBool>`NOT ${HAS_OWN}`)),
  },
  discrepancy: {
    isSeen: seesDiscrepancies,
    onScreens: true,
    label: 'Check',
    type: 'multiselect',
    options: () => Object.values(CHECKS).map(({ filter, name }) => ({ value: filter, label: name })),
    where: ifAllKnown(isCheckFilter, (values) =>
      either(
        values
          .flatMap((value) => checkOfFilter(value) ?? [])
          .map((check) => (check === PAIR_CHECK ? inOpenPair() : withOpen(ofCheck(check)))),
      ),
    ),
  },
  discrepancy_group: {
    isSeen: seesDiscrepancies,
    onScreens: true,
    label: 'Kind of check',
    type: 'multiselect',
    options: () => Object.entries(DISCREPANCY_GROUPS).map(([value, { label }]) => ({ value, label })),
    where: ifAllKnown(isDiscrepancyGroup, (values) => withOpen(either(values.filter(isDiscrepancyGroup).map((group) => ofGroup(group))))),
  },
  severity: {
    isSeen: seesDiscrepancies,
    onScreens: true,
    label: 'Severity',
    type: 'multiselect',
    options: () => SEVERITIES.toReversed().map((value) => ({ value, label: SEVERITY_LABELS[value] })),
    where: ifAllKnown(
      (value) => Object.hasOwn(SEVERITY_LABELS, value),
      (values) => withOpen(ofSeverity(values)),
    ),
  },
}

const HAS_FLAG = sql<SqlBool>`EXISTS (SELECT 1 FROM flags WHERE flags.property_id = account_properties.id AND ${isOpenFlag()})`

export const propertyDatatable = defineDatatable<PropertyRow>({
  model: 'account_properties',
  marksNew: true,
  visible: visibleProperties,
  dependsOn: ['account_properties', 'discrepancies', 'account_files', 'flags'],
  accountColumn: 'account_id',
  canExport: 'view_download_property_list_button',
  prepareExport: prepareProperties,
  defaultSort: { column: 'updated_at', order: 'desc' },
  // Place, values, discrepancies, building. The usual columns fit a window 1440 pixels wide, the values also narrower ones.
  columns: {
    location_number: field('location_number', 'Loc #', { width: 72, sort: BY_LOCATION, exported: { followedBy: 'building_number' } }),
    address: field('address', 'Name and address', { primary: true, width: 152, exported: { shows: 'property_name' } }),
    building_number: field('building_number', 'Bldg #', { default: false, width: 76 }),
    property_name: field('property_name', 'Property name', { default: false, width: 205 }),
    city: field('city', 'City', { width: 92 }),
    state: field('state', 'State', { width: 44 }),
    building_value: money('building_value', 'Building', { width: 98 }),
    contents_value: money('contents_value', 'Contents', { width: 92 }),
    bi_value: money('bi_value', 'BI / rents', { width: 90 }),
    // Computed: an import of the file must not take it for what a client states.
    tiv: { label: 'TIV', align: 'right', width: 98, ...sorted('tiv'), exported: { label: 'TIV (calculated)', kind: 'money' } },
    discrepancies: {
      label: 'Discrepancies',
      align: 'right',
      width: 46,
      iconOnly: true,
      // All of them: a file has no sentence about the schedule next to it.
      exported: { label: 'Open Discrepancies' },
      isSeen: seesDiscrepancies,
    },
    quality_score: {
      label: 'Quality',
      align: 'right',
      width: 60,
      exported: { label: 'Quality score' },
      isSeen: seesDiscrepancies,
      sort: { by: sql`account_properties.quality_score`, nullsLast: true },
    },
    property_type: field('property_type', 'Type', { width: 92 }),
    construction_class: field('construction_class', 'Constr.', { width: 58 }),
    year_built: number('year_built', 'Year', { width: 50 }),
    stories: number('stories', 'Stories', { default: false, width: 60 }),
    floor_area: number('floor_area', 'Area sf', { width: 78 }),
    sprinklered: field('sprinklered', 'Sprinklered', { default: false }),
    postal_code: field('postal_code', 'ZIP', { default: false, width: 100 }),
    county: field('county', 'County', { default: false }),
    documents: { label: 'Documents', isSeen: seesFiles, align: 'right', default: false, width: 76 },
    status: { label: 'Status', default: false, ...sorted('status') },
    updated_at: { label: 'Updated', default: false, sort: { by: sql`account_properties.updated_at` }, exported: { label: 'Last updated' } },
  },
  filters: {
    account_id: idFilter('Account', 'account_properties.account_id'),
    status: {
      label: 'Status',
      type: 'select',
      hidden: true,
      where: (value) =>
        value === 'all' ? TRUE : ['active', 'divested'].includes(value) ? sql<SqlBool>`account_properties.status = ${value}` : undefined,
    },
    property_type: choiceFilter('Property type', 'account_properties.property_type', PROPERTY_TYPES),
    construction: choiceFilter('Construction', 'account_properties.construction_class', CONSTRUCTION_CLASSES),
    state: {
      label: 'State',
      type: 'multiselect',
      options: () => Object.entries(US_STATES).map(([value, { name }]) => ({ value, label: name })),
      where: (_value, values) =>
        sql<SqlBool>`(account_properties.state = ANY(${values}::text[]) OR (account_properties.state IS NULL AND ${values.includes('unknown')}))`,
    },
    country: { label: 'Country', type: 'text', hidden: true, where: isAnyOf('account_properties.country') },
    county: { label: 'County', type: 'text', hidden: true, where: isAnyOf('account_properties.county') },
    city: { label: 'City', type: 'text', hidden: true, where: isAnyOf('account_properties.city') },
    documents: {
      isSeen: seesFiles,
      // Only documents that the viewer sees, so that the filter does not reveal others.
      ...yesNoFilter(
        'Documents',
        ({ viewer }) => sql<SqlBool>`EXISTS (SELECT 1 FROM account_file_properties l
          JOIN account_files ON account_files.id = l.file_id AND account_files.deleted_at IS NULL
          WHERE l.property_id = account_properties.id AND account_files.account_id = account_properties.account_id AND ${visibleFiles(viewer)})`,
      ),
      type: 'select',
      options: () => withOrWithout('documents'),
    },
    on_map: {
      ...yesNoFilter('On the map', () => sql<SqlBool>`account_properties.latitude IS NOT NULL`),
      options: () => [
        { value: '1', label: 'On the map' },
        { value: '0', label: 'Not on the map' },
      ],
    },
    import_id: idFilter('Import', 'account_properties.import_id'),
    added_since: sinceFilter('Added since', (moment) => sql<SqlBool>`account_properties.created_at > ${moment}`),
    changed_since: sinceFilter(
      'Changed since',
      (moment) => sql<SqlBool>`(account_properties.created_at <= ${moment} AND account_properties.updated_at > ${moment})`,
    ),
    flagged: {
      label: 'Flagged',
      isSeen: (viewer) => can(viewer, 'manage_flags'),
      type: 'boolean',
      options: () => withOrWithout('open flags'),
      where: (value) => {
        const flagged = yesOrNo(value)
        if (flagged === undefined) return undefined
        return flagged ? HAS_FLAG : sql<SqlBool>`NOT ${HAS_FLAG}`
      },
    },
    ...discrepancyFilters,
  },
  actions: {
    divest: {
      label: 'Mark as divested',
      undo: 'reactivate',
      can: 'update_account_properties',
      prompt: { message: 'When did these properties leave the program?', type: 'date', name: 'divested_on', placeholder: 'YYYY-MM-DD' },
      run: (ctx, ids, input, versions) => divestProperties(ctx, ids, DivestInput.parse(input, { error: issueText }), versions),
    },
    reactivate: {
      label: 'Reactivate',
      undo: 'divest',
      can: 'update_account_properties',
      prompt: { message: 'Return the selected properties to the active register?', type: 'confirm', name: 'confirm' },
      run: (ctx, ids, _input, versions) => reactivateProperties(ctx, ids, versions),
    },
    flag: {
      label: 'Flag',
      can: 'manage_flags',
      prompt: { message: 'What needs attention?', type: 'text', placeholder: 'Message', name: 'message' },
      run: async (ctx, ids, input) => {
        const flags = await raiseFlags(ctx, 'account_property', ids, FlagInput.parse(input, { error: issueText }))
        return `${plural(flags.length, 'property was', 'properties were')} flagged.`
      },
    },
  },
  rows: propertyRows,
  exportValues: propertyValues,
  summed: { ...SUMMED_VALUES, hasValue: { tiv: HAS_TIV } },
})
