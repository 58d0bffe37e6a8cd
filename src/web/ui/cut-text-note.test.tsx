import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { CutTextNote } from './cut-text-note.tsx'

const NAME = 'Northwestern Consolidated Retail and Industrial Portfolio 26'

beforeEach(() => {
  // jsdom has no layout: the long name is wider than its element.
  vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockImplementation(function (this: Element) {
    return (this.textContent ?? '').length * 7
  })
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(200)
})
afterEach(() => {
  vi.restoreAllMocks()
  document.elementsFromPoint = () => []
  resetPage()
})

function show() {
  const cut = { textOverflow: 'ellipsis' }
  return renderWithSession(
    <>
      <CutTextNote />
      <a href="/one">
        <span style={cut}>{NAME}</span>
      </a>
      <span style={cut}>Short</span>
      <span style={cut} title="own note">
        {`Titled ${NAME}`}
      </span>
    </>,
    { session: sessionWith([]) },
  )
}
const point = (element: HTMLElement) => {
  // A link covers all of them.
  document.elementsFromPoint = () => [document.createElement('a'), element, document.body]
  fireEvent.pointerMove(element)
}
const notes = () => screen.queryAllByRole('tooltip', { hidden: true }).map(({ textContent }) => textContent)

test('a text that is cut is shown in full on hover, also below a link; others are not', async () => {
  show()
  point(await screen.findByText(NAME))
  expect(await screen.findByRole('tooltip', { hidden: true })).toBeDefined()
  expect(notes()).toEqual([NAME])
  point(screen.getByText('Short'))
  expect(notes()).toEqual([])
  point(screen.getByText(`Titled ${NAME}`))
  expect(notes()).toEqual([])
})

test('a text that is cut is shown in full on focus, until Escape', async () => {
  const { user } = show()
  await screen.findByText(NAME)
  await user.tab()
  expect(notes()).toEqual([NAME])
  await user.keyboard('{Escape}')
  expect(notes()).toEqual([])
})
