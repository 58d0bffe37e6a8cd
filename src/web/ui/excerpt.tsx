import type { ExcerptPart } from '#contract/document-texts.ts'
import classes from './excerpt.module.css'

/** A sentence with what was searched marked. Its parts are texts, whatever they contain. */
export function Excerpt({ place, parts }: { place: string; parts: readonly ExcerptPart[] }) {
  return (
    <span className={classes['excerpt']}>
      {place !== '' && <span className={classes['place']}>{place}</span>}
      {/* oxlint-disable-next-line react/no-array-index-key -- parts have no identity but their place */}
      {parts.map(({ text, is_match }, at) => (is_match ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>))}
    </span>
  )
}
