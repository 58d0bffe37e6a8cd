import { Menu, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { MODELS } from '#contract/models.ts'
import { savedViewCalls, type SavedView } from '#contract/saved-views.ts'
import { api } from '#web/data/client.ts'
import { queries } from '#web/data/queries.ts'
import { stringifySearch, useSearchParams } from '#web/search-params.ts'
import { toast } from '#web/ui/toast.tsx'
import { Loaded } from '../loaded.tsx'
import { showError } from '../show-error.ts'
import type { List } from './list.ts'
import { viewStateOf } from './saved-views.ts'
import classes from './view-menu.module.css'

interface ViewMenuItemsProps {
  list: List
  /** Whether the list differs from the open view. */
  changed: boolean
  onOpen: (view: SavedView | null) => void
  onEdit: (view: 'new' | SavedView) => void
}

/** What the open menu shows: the views, and what can be done with the one that is open. */
export function ViewMenuItems({ list, changed, onOpen, onEdit }: ViewMenuItemsProps) {
  const { view, model } = list
  const update = useUpdate(list)
  return (
    <>
      <ViewItems list={list} onOpen={onOpen} />
      {view !== undefined && <Menu.Item onClick={() => onOpen(null)}>{`All ${MODELS[model].many}, without a view`}</Menu.Item>}
      <Menu.Divider />
      {changed && view?.can_change === true && <Menu.Item onClick={() => update(view)}>{`Save changes to “${view.name}”`}</Menu.Item>}
      {changed && view !== undefined && <Menu.Item onClick={() => onOpen(view)}>Discard changes</Menu.Item>}
      <Menu.Item onClick={() => onEdit('new')}>Save as a new view…</Menu.Item>
      {view !== undefined && <CopyLink view={view} />}
      {view?.can_change === true && <Menu.Item onClick={() => onEdit(view)}>Rename, share or delete…</Menu.Item>}
    </>
  )
}

/** Stores the list as it is now in the view. */
function useUpdate({ model, state, layout, dropDraft }: List) {
  const client = useQueryClient()
  const { queryKey } = queries.savedViews(model)
  const { mutate } = useMutation({
    mutationFn: ({ id, version }: SavedView) =>
      api(savedViewCalls.update, { params: { id }, body: { version, state: viewStateOf(state, layout) } }),
    onSuccess: ({ data, message }) => {
      client.setQueryData(queryKey, (views) => views?.map((one) => (one.id === data.id ? data : one)))
      dropDraft()
      toast.success(message)
    },
    onError: (error) => {
      showError(error)
      void client.invalidateQueries({ queryKey })
    },
  })
  return (view: SavedView) => mutate(view)
}

interface ViewItemsProps {
  list: List
  onOpen: (view: SavedView) => void
}

/** Loaded each time the menu opens, since colleagues share views. */
function ViewItems({ list: { model, view: current }, onOpen }: ViewItemsProps) {
  const query = useQuery(queries.savedViews(model))
  const item = (view: SavedView) => (
    <Menu.Item
      key={view.id}
      aria-current={view.id === current?.id || undefined}
      rightSection={view.id === current?.id ? <IconCheck size={16} aria-hidden /> : null}
      onClick={() => onOpen(view)}
    >
      <span className={classes['name']}>{view.name}</span>
      {!view.mine && <span className={classes['owner']}>{view.owner}</span>}
      {view.mine && view.shared && <span className={classes['owner']}>Shared</span>}
    </Menu.Item>
  )
  return (
    <Loaded query={query} skeleton={<Menu.Label>Loading the views…</Menu.Label>}>
      {(views) => {
        const [mine, others] = [views.filter(({ mine: own }) => own), views.filter(({ mine: own }) => !own)]
        return (
          <div className={classes['views']}>
            {views.length === 0 && (
              <Text size="sm" c="var(--muted)" px={12} py={8}>
                A view is a name for the search, filters, order and columns that you see.
              </Text>
            )}
            {mine.length > 0 && <Menu.Label>Your views</Menu.Label>}
            {mine.map(item)}
            {others.length > 0 && <Menu.Label>Shared in your company</Menu.Label>}
            {others.map(item)}
          </div>
        )
      }}
    </Loaded>
  )
}

/** The address of the view alone, which opens it as it is stored. */
function CopyLink({ view }: { view: SavedView }) {
  const { pathname } = useLocation()
  const { tab } = useSearchParams()
  const copy = async () => {
    await navigator.clipboard.writeText(window.location.origin + pathname + stringifySearch({ tab, view: view.id }))
    toast.success(view.shared ? 'Link copied.' : 'Link copied. Only you can open this view until you share it.')
  }
  return <Menu.Item onClick={() => void copy().catch(showError)}>Copy link</Menu.Item>
}
