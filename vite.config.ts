import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import react from '@vitejs/plugin-react'
import presetMantine from 'postcss-preset-mantine'
import simpleVars from 'postcss-simple-vars'
import { defineConfig, type Plugin } from 'vite'

const BREAKPOINTS = { xs: '36em', sm: '48em', md: '62em', lg: '75em', xl: '88em' }
const FRAMEWORK =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|zod|@tanstack\/(react-router|router-core|history|react-store|store|react-query|query-core))\//
const anyOf = (patterns: readonly string[]) => new RegExp(patterns.join('|'))
const COMPONENTS =
  'ActionIcon|Anchor|Box|Button|Checkbox|CloseButton|Flex|FocusTrap|Group|InlineInput|Input|InputBase|Loader|Paper|PasswordInput|Portal|Stack|Text|TextInput|Title|Transition|UnstyledButton|VisuallyHidden'
/** Hooks that no public page uses. */
const LATER_HOOKS = 'click-outside|debounced-callback|debounced-value|drag|hotkeys|long-press|move|resize-observer|selection|shallow-effect'
/** Code of the public pages and their toasts beyond the first script; they open before the rest has loaded. */
const PUBLIC_PAGES = anyOf([
  'src/web/(features/session/(?!sso\\.|password-recovery)|engines/public-page|ui/notice)',
  `node_modules/@mantine/core/esm/(core|components/(${COMPONENTS}))/`,
  `node_modules/@mantine/hooks/esm/(?!use-(${LATER_HOOKS})/)`,
  'node_modules/(clsx|react-remove-scroll|react-remove-scroll-bar|react-style-singleton|use-callback-ref|use-sidecar|get-nonce|tslib)/',
  '@tabler/icons-react/dist/esm/(createReactComponent|defaultAttributes|icons/Icon(AlertCircle|AlertTriangle|InfoCircle)\\.)',
])
/** What the first page of people from outside needs of the code that all pages share; they open it without the rest. */
const GUESTS = anyOf([
  'src/contract/(account-invites|guest-limits|sharing)\\.ts',
  'src/web/data/(account-queries|live-chat|pending-downloads)\\.ts',
  'src/web/engines/(loaded|panel/unsaved-forms|account/prepare-download|show-error|metric/(metric-link|slice-share|stretched-link|value-parts))\\.',
  'src/web/shell/(heading-bar\\.module|not-found)\\.',
  'src/web/ui/(download|empty-state|skeleton-rows)\\.',
  '@tabler/icons-react/dist/esm/icons/Icon(ChevronDown|Download|FileSpreadsheet|FileText|FileZip|Lock|Mail)\\.',
  '@mantine/core/esm/components/(Tabs|Skeleton|EmptyState)/',
  '@mantine/hooks/esm/use-hotkeys/',
])
/** Dialogs without what floats next to a control. */
const DIALOGS = /node_modules\/@mantine\/core\/esm\/components\/(Modal|ModalBase|Overlay)\//
/** Components that lists have, too: a group takes what it imports unless an earlier one has it. */
const OVERLAYS = /node_modules\/(@floating-ui|@mantine\/core\/esm\/components\/(Menu|Modal|NativeSelect|Popover|ScrollArea|Tooltip))\//
/** Libraries of forms, and what needs one of them, which lists do without. */
const FORMS =
  /node_modules\/(react-number-format|@mantine\/(form|core\/esm\/components\/(Combobox|MultiSelect|NumberInput|Pill|PillsInput|Select|Textarea)))\/|src\/web\/ui\/copy-field\./
/** Code that most pages share: one request instead of forty. */
const SHARED = /node_modules|src\/(contract|web\/(data|ui|shell|engines\/(datatable|panel)))\//
const SHARED_BY = 4
const SERVER = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`
const SERVED_BY_SERVER = ['/api', '/storage', '/healthz', '/readyz', '/metrics']

const COMPRESSIBLE = /\.(js|mjs|css|svg|json)$/
const brotli = promisify(brotliCompress)

/** The server sends the .br file next to a file, so nothing is compressed while a person waits. */
const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  // From the written files: what an earlier hook sees still has placeholders in it.
  async writeBundle({ dir = '' }, bundle) {
    const names = Object.keys(bundle).filter((name) => COMPRESSIBLE.test(name))
    await Promise.all(
      names.map(async (name) => {
        const source = await readFile(join(dir, name))
        await writeFile(join(dir, `${name}.br`), await brotli(source, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: source.length } }))
      }),
    )
  },
})

export default defineConfig({
  root: 'src/web',
  cacheDir: '../../.cache/vite',
  plugins: [react(), compressed()],
  css: {
    postcss: {
      plugins: [
        presetMantine(),
        simpleVars({
          variables: Object.fromEntries(Object.entries(BREAKPOINTS).map(([name, width]) => [`mantine-breakpoint-${name}`, width])),
        }),
      ],
    },
  },
  resolve: {
    alias: { 'iconv-lite': join(import.meta.dirname, 'src/web/features/account-files/preview/iconv-in-browsers.ts') },
  },
  worker: { format: 'es' },
  // Nothing is inlined as data: addresses, which the content security policy rejects.
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: 'es2024',
    assetsInlineLimit: 0,
    // The readers of maps and PDF documents are large, and loaded with the page that needs them.
    chunkSizeWarningLimit: 1_500,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          groups: [
            { name: 'framework', test: FRAMEWORK, priority: 5 },
            { name: 'start', tags: ['$initial'], priority: 4 },
            { name: 'entrance', test: PUBLIC_PAGES, priority: 3 },
            { name: 'guests', test: GUESTS, priority: 2.5 },
            { name: 'dialogs', test: DIALOGS, priority: 2.2 },
            { name: 'overlays', test: OVERLAYS, priority: 2 },
            { name: 'forms', test: FORMS, priority: 1 },
            { name: 'shared', test: SHARED, minShareCount: SHARED_BY, priority: 0 },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: Number(process.env['WEB_PORT'] ?? 5173),
    strictPort: true,
    proxy: { ...Object.fromEntries(SERVED_BY_SERVER.map((path) => [path, SERVER])), '/socket.io': { target: SERVER, ws: true } },
  },
})
