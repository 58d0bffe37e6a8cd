import { encode } from 'uqr'
import { useMemo } from 'react'
import classes from './profile.module.css'

/** The light margin that readers need, in modules. */
const QUIET_ZONE = 4

/** Dark on light in both color schemes: many readers need that. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { size: side, data } = encode(text, { ecc: 'M', border: QUIET_ZONE })
    const modules = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    return { size: side, path: modules.join('') }
  }, [text])
  return (
    <svg className={classes['qr']} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
