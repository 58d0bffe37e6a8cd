import type { Account } from '#contract/accounts.ts'
import { formatBytes, plural } from '#contract/format.ts'
import classes from './document-kinds.module.css'

interface DocumentKindsProps {
  files: Account['files'] | undefined
  sov: boolean
  onChange: (sov: boolean) => void
}

/** The two sub-tabs, each with how many documents it holds and how large they are. */
export function DocumentKinds({ files, sov, onChange }: DocumentKindsProps) {
  return (
    <div className={classes['kinds']} role="group" aria-label="Kind of documents">
      <Kind
        label="Disclosed Documents"
        count={files?.disclosed}
        size={files?.size.disclosed}
        chosen={!sov}
        onChoose={() => onChange(false)}
      />
      <Kind label="Submission Documents" count={files?.sov} size={files?.size.sov} chosen={sov} onChoose={() => onChange(true)} />
    </div>
  )
}

function Kind({
  label,
  count,
  size,
  chosen,
  onChoose,
}: {
  label: string
  count: number | undefined
  size: number | undefined
  chosen: boolean
  onChoose: () => void
}) {
  return (
    <button type="button" className={classes['kind']} aria-pressed={chosen} onClick={onChoose}>
      <span className={classes['label']}>{label}</span>
      <span className={classes['count']}>
        {count === undefined || size === undefined ? '…' : `${plural(count, 'document')}, ${formatBytes(size)}`}
      </span>
    </button>
  )
}
