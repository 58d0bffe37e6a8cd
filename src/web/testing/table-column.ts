import type { Column } from '#contract/datatable.ts'

/** A sortable column of a list, as the server describes it. */
export const tableColumn = (src: string, label: string, more: Partial<Column> = {}): Column => ({
  src,
  label,
  sort: src,
  sortable: true,
  primary: false,
  disabled: false,
  default: true,
  width: null,
  classes: '',
  icon_only: false,
  ...more,
})
