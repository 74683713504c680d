/**
 * Placed at the beginning of the bundle: loads modules of `table` (`[path from the folder, { name: id }, run, isEsModule]`)
 * as Node loads CommonJS, and what is not among them by `native`. Answers what the last one exports.
 */
function bundledModules(native, folder, table) {
  const { dirname, join } = native('node:path');
  const loaded = [];
  const seen = new WeakMap();

  function load(id) {
    if (loaded[id]) return loaded[id].exports;
    const [path, targets, run, isEsModule] = table[id];
    const module = (loaded[id] = { exports: {} });
    const filename = join(folder, path);
    const require = (name) => {
      const target = targets[name];
      if (target === undefined) return native(name);
      return isEsModule ? imported(target) : load(target);
    };
    require.resolve = native.resolve;
    // A script cannot import without a warning, but it can require ES modules.
    const importing = async (name) => (targets[name] === undefined ? asEsModulesSee(native(name)) : imported(targets[name]));
    try {
      run.call(module.exports, module.exports, require, module, filename, dirname(filename), importing);
    } catch (error) {
      loaded[id] = undefined;
      throw error;
    }
    return module.exports;
  }

  const imported = (id) => (table[id][3] ? load(id) : asEsModulesSee(load(id)));

  /** The default of a CommonJS module is the whole of it, whatever it says of itself. */
  function asEsModulesSee(whole) {
    if (whole === null || (typeof whole !== 'object' && typeof whole !== 'function')) return { default: whole };
    if (whole[Symbol.toStringTag] === 'Module') return whole;
    if (!seen.has(whole))
      seen.set(whole, Object.create(whole, { default: { value: whole, enumerable: true }, __esModule: { value: true } }));
    return seen.get(whole);
  }

  return load(table.length - 1);
}

module.exports = { bundledModules };
