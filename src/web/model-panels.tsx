import { MODELS } from '#contract/models.ts'
import type { ListedModel } from './data/models.ts'
import type { ModelView } from './engines/model/model-view.ts'
import { modelPaths } from './paths.ts'

type Params = Readonly<Record<string, string>>
type LoadView = () => Promise<ModelView>

/** The panels over the list of a model, each loaded when its route is opened: its own records, and those of other models inside them. */
export function modelPanels(model: ListedModel) {
  const { list, record: pathOf } = modelPaths(model)
  const closeTo = list()
  /** The panel of the record that a panel of another model is inside. */
  const outer = ({ id = '' }: Params) => pathOf(id)
  return {
    record: (load: LoadView, param: string, editable: boolean) => async () => {
      const [{ RecordPanel }, view] = await Promise.all([import('./engines/model/record-panel.tsx'), load()])
      return (params: Params) => {
        const back = param === 'id' ? undefined : { label: `Back to the ${MODELS[model].one}`, to: outer(params) }
        return <RecordPanel view={view} id={params[param] ?? ''} closeTo={closeTo} editable={editable} back={back} />
      }
    },
    form: (load: LoadView, param: string) => async () => {
      const [{ FormPanel }, view] = await Promise.all([import('./engines/model/form-panel.tsx'), load()])
      return (params: Params) => <FormPanel view={view} id={params[param] ?? null} closeTo={closeTo} />
    },
    /** Adds a record inside another one, which is the value of the field `preset`; closing leads back to it. */
    addInside: (load: LoadView, preset: string) => async () => {
      const [{ FormPanel }, view] = await Promise.all([import('./engines/model/form-panel.tsx'), load()])
      return (params: Params) => <FormPanel view={view} id={null} closeTo={outer(params)} prefill={{ [preset]: params['id'] ?? '' }} />
    },
  }
}
