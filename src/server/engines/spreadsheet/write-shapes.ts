export type ColumnKind = 'text' | 'number' | 'money' | 'date' | 'percent' | 'link'

export interface WrittenColumn {
  header: string
  /** In characters of the default font. */
  width: number
  kind: ColumnKind
  /** Adds the column up in the totals row. */
  total?: boolean
}

/** Dates as ISO text, percents as a share (0.5 for 50%), links as text with the address it leads to. */
export type WrittenValue = string | number | boolean | null | undefined | { text: string; href: string }

export interface WrittenSheet {
  name: string
  columns: readonly WrittenColumn[]
  rows: Iterable<readonly WrittenValue[]> | AsyncIterable<readonly WrittenValue[]>
  /** Label of a closing row with the sums of the columns marked `total`. */
  totals?: string
  frozenHeader?: boolean
  autoFilter?: boolean
}
