import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { flagCalls } from '#contract/flags.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { riskControlCalls } from '#contract/risk-control.ts'
import { ACCOUNT_ID, accountServer, accountWith } from '#web/testing/account-server.ts'
import { errorAnswer, fakeServer, onePage, type FakeServer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { renderWithSession, resetPage, signInAs } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import type { Property } from '#contract/account-properties.ts'
import { PropertyReports } from './property-reports.tsx'
import { ReportPanel } from './report.panel.tsx'
import { PROPERTY, REPORT_ID, recommendation, report, reportRow } from './risk-control.fixture.ts'

let server: FakeServer
beforeEach(() => {
  server = fakeServer().on(riskControlCalls.show, () => ({ data: report }))
})
afterEach(resetPage)

const open = (...permissions: PermissionName[]) =>
  renderWithSession(<ReportPanel id={ACCOUNT_ID} prop_id={PROPERTY} risk_control_id={REPORT_ID} />, {
    session: sessionWith(['view_risk_control', ...permissions]),
  })
const entry = () => screen.findByRole('article', { name: 'Recommendation 26-03-01' })

describe('a risk control report', () => {
  it('says in words what is overdue, and has amounts in the currency of the property', async () => {
    open()
    expect(within(await entry()).getByText('Overdue since Apr 4, 2026')).toBeTruthy()
    expect(screen.getByText('1 overdue')).toBeTruthy()
    expect(screen.getByText('CA$5 · 18% of TIV')).toBeTruthy()
  })

  it('shows where the register differs, and nothing of the register where it is the same', async () => {
    const observed = [
      { field: 'year_built', label: 'Year built', report: '1992', register: '1987', differs: true },
      { field: 'stories', label: 'Stories', report: '2', register: '2', differs: false },
    ]
    server.on(riskControlCalls.show, () => ({ data: { ...report, observed } }))
    open()
    expect(await screen.findByText('Register: 1987 · Report: 1992')).toBeTruthy()
    expect(screen.queryByText(/Register: 2/)).toBeNull()
  })

  it('shows texts with markup as they were written', async () => {
    const summary = '<img src=x onerror=alert(1)>'
    server.on(riskControlCalls.show, () => ({ data: { ...report, values: { ...report.values, executive_summary: summary } } }))
    open()
    expect(await screen.findByText(summary)).toBeTruthy()
    expect(document.querySelector('img[src="x"]')).toBeNull()
  })

  it('says that a draft is hidden from carriers and guests', async () => {
    server.on(riskControlCalls.show, () => ({ data: { ...report, status: { id: REPORT_ID, name: 'Draft', color: '#000', draft: true } } }))
    open()
    expect(await screen.findByText('Draft: carriers and guests do not see this report.')).toBeTruthy()
  })

  it('offers editing, deleting and answering only with the permissions', async () => {
    open()
    await entry()
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Answer' })).toBeNull()
    resetPage()
    server = fakeServer().on(riskControlCalls.show, () => ({ data: report }))
    open('update_risk_control', 'respond_risk_control')
    await entry()
    expect(screen.getByRole('button', { name: 'Edit' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Answer' })).toBeTruthy()
  })

  it('is printed from its menu, in light colors also in the dark scheme', async () => {
    const scheme = () => document.documentElement.getAttribute('data-mantine-color-scheme')
    const print = vi.spyOn(window, 'print').mockImplementation(() => {
      window.dispatchEvent(new Event('beforeprint'))
      expect(scheme()).toBe('light')
      window.dispatchEvent(new Event('afterprint'))
    })
    const { user } = open()
    await entry()
    document.documentElement.setAttribute('data-mantine-color-scheme', 'dark')
    await user.click(screen.getByRole('button', { name: 'More' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Print' }))
    expect(print).toHaveBeenCalledOnce()
    expect(scheme()).toBe('dark')
  })

  it('has its flags and its activity for users who can see them, and raises a flag on the report', async () => {
    const line = { id: REPORT_ID, message: 'Ann changed it', datetime: '2026-03-06T10:00:00.000Z', class: 'updated' as const }
    const serve = () =>
      fakeServer()
        .on(riskControlCalls.show, () => ({ data: report }))
        .on(riskControlCalls.activity, () => onePage([line]))
        .on(flagCalls.index, () => onePage([]))
        .on(flagCalls.assignees, () => ({ data: [] }))
        .on(flagCalls.raise, () => errorAnswer('conflict', 'Not now.'))
    server = serve()
    open()
    await entry()
    expect(screen.queryByRole('region', { name: 'Flags' })).toBeNull()
    expect(screen.queryByRole('region', { name: 'Activity' })).toBeNull()
    resetPage()
    server = serve()
    const { user } = open('manage_flags', 'view_account_activity')
    expect(await within(await screen.findByRole('region', { name: 'Activity' })).findByText('Ann changed it')).toBeTruthy()
    expect(server.requests.join()).toContain(`filter__risk_control_id=${REPORT_ID}`)
    await user.click(await screen.findByRole('button', { name: 'Raise a flag' }))
    const form = within(await screen.findByRole('form', { name: 'Raise a flag' }))
    await user.type(form.getByRole('textbox', { name: /What needs attention/ }), 'Photo missing')
    await user.click(form.getByRole('button', { name: /flag/i }))
    await waitFor(() => expect(server.bodies(flagCalls.raise)).toMatchObject([{ flaggable_type: 'risk_control', flaggable_id: REPORT_ID }]))
  })

  it('in the trash cannot be flagged', async () => {
    server.on(riskControlCalls.show, () => ({ data: { ...report, deleted_at: '2026-04-01T00:00:00.000Z' } }))
    server.on(flagCalls.index, () => onePage([]))
    open('manage_flags')
    expect(await screen.findByText('A report in the trash cannot be flagged.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Raise a flag' })).toBeNull()
  })

  it('is not found without the permission', async () => {
    const { path } = renderApp(
      `/accounts/${ACCOUNT_ID}/properties/${PROPERTY}/risk_control/${REPORT_ID}`,
      sessionWith(['view_account_details']),
    )
    await waitFor(() => expect(path()).toBe('/404'))
  })
})

describe('answering a recommendation', () => {
  const choose = async (user: ReturnType<typeof open>['user'], status: string) => {
    await user.click(await screen.findByRole('button', { name: 'Answer' }))
    await user.click(await screen.findByRole('combobox', { name: 'Status' }))
    await user.click(await screen.findByRole('option', { name: status }))
  }

  it('sends the text with the new status and the one that was seen', async () => {
    server.on(riskControlCalls.respond, () => ({
      data: { ...recommendation, status: 'completed' as const },
      message: 'The response was saved.',
    }))
    const { user } = open('respond_risk_control')
    await choose(user, 'Completed')
    await user.type(screen.getByRole('textbox', { name: 'What was done, or will be done' }), 'Repaired')
    await user.click(screen.getByRole('button', { name: 'Save answer' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Save answer' })).toBeNull())
    expect(server.bodies(riskControlCalls.respond)).toEqual([{ text: 'Repaired', files: [], status: 'completed', from: 'open' }])
  })

  it('offers only progress without the right to edit reports', async () => {
    const { user } = open('respond_risk_control')
    await user.click(await screen.findByRole('button', { name: 'Answer' }))
    await user.click(await screen.findByRole('combobox', { name: 'Status' }))
    const options = (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
    expect(options).toEqual(['Open', 'In progress', 'Completed', 'Declined'])
  })

  it('asks the user for a reason and a date to defer, and shows what the server rejects', async () => {
    server.on(riskControlCalls.respond, () => errorAnswer('conflict', 'Ann changed recommendation 26-03-01 to verified.'))
    const { user } = open('respond_risk_control', 'update_risk_control')
    await choose(user, 'Deferred')
    expect(screen.getByLabelText(/New due date/)).toBeTruthy()
    await user.type(screen.getByRole('textbox', { name: /Reason/ }), 'Budget')
    await user.click(screen.getByRole('button', { name: 'Save answer' }))
    expect(await screen.findByText('Ann changed recommendation 26-03-01 to verified.')).toBeTruthy()
    expect(screen.getByRole('textbox', { name: /Reason/ })).toHaveProperty('value', 'Budget')
  })
})

describe('the reports of a property', () => {
  const openList = (...permissions: PermissionName[]) =>
    renderWithSession(
      <PropertyReports property={{ id: PROPERTY, account_id: ACCOUNT_ID } as Property} /* the list reads the ids only */ />,
      {
        session: sessionWith(permissions),
      },
    )

  it('are listed with the state of their recommendations, and those in the trash only for users who can restore them', async () => {
    server.on(riskControlCalls.index, () => onePage([reportRow]))
    openList('view_risk_control')
    expect(await screen.findByRole('link', { name: 'RC-2026-001 · Annual survey' })).toBeTruthy()
    for (const text of ['3 recommendations open', '1 overdue', '1 due soon']) expect(screen.getByText(text)).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Add report' })).toBeNull()
    expect(server.requests.join()).not.toContain('trashed')
    resetPage()
    server = fakeServer().on(riskControlCalls.index, () => onePage([{ ...reportRow, deleted_at: '2026-04-01T00:00:00.000Z' }]))
    openList('view_risk_control', 'delete_risk_control', 'create_risk_control')
    expect(await screen.findByText('In the trash')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Add report' })).toBeTruthy()
  })

  it('are not requested without the permission', async () => {
    openList()
    await waitFor(() => expect(screen.queryByText('Risk control')).toBeNull())
    expect(server.requests).toEqual([])
  })
})

it('keeps what is entered in a new report when the permission for it is taken away', async () => {
  const field = { name: 'title', label: 'Title', type: 'text', value: '', required: true } as const
  const form = { model: 'risk_control', id: null, title: 'New report', version: null, sections: [{ title: 'General', fields: [field] }] }
  accountServer(accountWith()).on(riskControlCalls.form, () => ({ data: form }))
  const rights = ['view_account_details', 'view_risk_control'] as const
  const path = `/accounts/${ACCOUNT_ID}/properties/${PROPERTY}/risk_control/create`
  const { user, path: current } = renderApp(path, sessionWith([...rights, 'create_risk_control']))
  await user.type(await screen.findByRole('textbox', { name: /Title/ }), 'Survey of the pier')
  act(() => signInAs(sessionWith(rights)))
  expect(await screen.findByText('You can no longer add this.')).toBeTruthy()
  expect(current()).toBe(path)
  expect(screen.getByDisplayValue('Survey of the pier')).toBeTruthy()
})
