import t from 'tap'
import { ModuleTasks } from '../src/services/module-tasks.ts'

t.test('tasks begin and end once, and an error in one does not affect the others', async (t) => {
  const said: string[] = []
  const tasks = new ModuleTasks((text) => said.push(text))
  tasks.add(() => {
    said.push('first')
    return () => said.push('end of first')
  })
  tasks.add(() => {
    throw new Error('broken')
  })
  tasks.add(() => {
    said.push('third')
    return () => {
      throw new Error('no end')
    }
  })
  const end = tasks.start()
  t.same(said, ['first', 'a task of a module failed: broken', 'third'])
  end()
  end()
  t.same(said.slice(3), ['end of first', 'a task of a module failed: no end'])
})
