import { formatMoney, formatNumber } from '#contract/format.ts'
import { shareText, type Slice } from './slices.ts'

/** The chart as a table, for those who cannot see it. */
export function SlicesTable({ title, slices }: { title: string; slices: readonly Slice[] }) {
  const values = slices.some(({ tiv }) => tiv !== undefined)
  return (
    <div className="visually-hidden">
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Count</th>
            {values && <th scope="col">Total insured value</th>}
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {slices.map(({ id, name, count, tiv, share }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              <td>{formatNumber(count)}</td>
              {values && <td>{tiv === undefined ? '' : formatMoney(tiv)}</td>}
              <td>{shareText(share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
