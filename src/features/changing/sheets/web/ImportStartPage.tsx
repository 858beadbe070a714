import { NativeSelect } from '@mantine/core'

import { IMPORT_KINDS, IMPORTS } from '../../../../contract/imports.ts'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import { useTitle } from '../../../../platform/web/title.ts'
import { ImportSteps } from './ImportSteps.tsx'
import { ImportFiles } from './public/ImportFiles.tsx'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'

const ANY = 'any'

/** `/import`: the files, and what they have. */
export const ImportStartPage = () => {
  useTitle('Import')
  const [{ kind: asked }, change] = useSearchParams()
  const kind = IMPORT_KINDS.find((one) => one === asked) ?? ANY
  return (
    <div className={layoutClasses.narrowPage}>
      <header className={layoutClasses.pageHead}>
        <h1 tabIndex={-1}>Import</h1>
      </header>
      <ImportSteps step="file" />
      <NativeSelect
        label="What is in the file?"
        description={
          kind === ANY ? 'Homeroom recognizes it from the columns. You can correct it in the next step.' : IMPORTS[kind].description
        }
        className={layoutClasses.bottomMargin20}
        value={kind}
        data={[{ value: ANY, label: 'Any of these' }, ...IMPORT_KINDS.map((one) => ({ value: one, label: IMPORTS[one].label }))]}
        onChange={({ currentTarget }) => change({ kind: currentTarget.value === ANY ? undefined : currentTarget.value })}
      />
      <ImportFiles kind={kind} />
    </div>
  )
}
