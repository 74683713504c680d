import type { Everyday } from './everyday';

export const ES: Everyday = {
  language: 'es',
  documents: [
    {
      title: 'Manual de la oficina.md',
      text: `# Manual de la oficina
## Horario
La oficina abre a las 8:30 y cierra a las 18:00.
Los viernes cerramos a las 15:00.
## Vacaciones
Las vacaciones se piden con quince días de antelación.
Cada empleado tiene 23 días al año.
## Cocina
- La nevera se vacía todos los viernes.
- El café lo paga la empresa.
## Contacto
Recepción: Lucía Ferrer, extensión 104
Correo de informática: soporte@oficina.example
`,
    },
    {
      title: 'Tarifas del gimnasio.md',
      text: `# Tarifas del gimnasio

| Abono | Adultos | Estudiantes |
|---|---|---|
| Mensual | 38 € | 27 € |
| Trimestral | 99 € | 72 € |
| Anual | 350 € | 260 € |

La matrícula cuesta 20 euros y se paga una sola vez.
La toalla se alquila por 1,50 euros.
`,
    },
    {
      title: 'Acta de la comunidad.txt',
      text: `Acta de la junta de vecinos, 21 de enero de 2026
Asistentes: Marta Gil, Jorge Peña, Rosa Lago

1. Ascensor
El ascensor se revisa el 10 de febrero y no funcionará por la mañana.

2. Piscina
La piscina abre el 15 de junio. El socorrista trabaja de 11 a 20 horas.

3. Fachada
La pintura de la fachada costará 12.800 euros y la hace la empresa Solpint.

Próxima junta: 18 de marzo de 2026
`,
    },
    {
      title: 'Centro de salud Norte.md',
      text: `# Centro de salud Norte
Urgencias: abierto las 24 horas
Extracciones de sangre: de lunes a viernes de 7:45 a 9:30
Teléfono: 955 010 203
`,
    },
    {
      title: 'Centro de salud Sur.md',
      text: `# Centro de salud Sur
Urgencias: de 15:00 a 22:00
Extracciones de sangre: martes y jueves de 8:00 a 10:00
Teléfono: 955 010 417
`,
    },
    {
      title: 'Preguntas de la escuela.md',
      held: true,
      text: `# Preguntas frecuentes

P: ¿A qué hora empiezan las clases?
R: A las nueve en punto.

P: ¿Cuánto cuesta el comedor?
R: 5,20 euros al día.

P: ¿Dónde se compra el uniforme?
R: En la tienda Hilos, calle Mayor 8.
`,
    },
    {
      title: 'Correo de Inés.txt',
      held: true,
      text: `De: Inés Robledo
Asunto: Excursión del sábado

Hola a todos:

El sábado salimos a las 7:15 desde la plaza del mercado. La ruta tiene 14 kilómetros y termina en el refugio.
Llevad agua, gorra y un bocadillo.
El autobús lo conduce Ramón.
Si llueve, la excursión pasa al domingo.

Un abrazo
Inés
`,
    },
  ],
  questions: [
    { of: 'Manual de la oficina.md', ask: '¿A qué hora abre la oficina?', says: ['a las 8:30'] },
    { of: 'Manual de la oficina.md', ask: '¿Y los viernes a qué hora cierra?', after: '¿A qué hora abre la oficina?', says: ['15:00'] },
    { of: 'Manual de la oficina.md', ask: '¿Cuántos días de vacaciones tiene cada empleado?', says: ['23 días'] },
    { of: 'Manual de la oficina.md', ask: '¿Cuándo se vacía la nevera?', says: ['todos los viernes'] },
    { of: 'Manual de la oficina.md', ask: '¿Quién paga el café?', says: ['la empresa'] },
    { of: 'Manual de la oficina.md', ask: '¿Cuál es el correo de informática?', says: ['soporte@oficina.example'] },
    { of: 'Manual de la oficina.md', ask: '¿Hay aparcamiento para bicicletas?', says: null },
    { of: 'Tarifas del gimnasio.md', ask: '¿Cuánto cuesta el abono anual para estudiantes?', says: ['260 €'] },
    { of: 'Tarifas del gimnasio.md', ask: '¿Y el mensual?', after: '¿Cuánto cuesta el abono anual para estudiantes?', says: ['27 €'] },
    { of: 'Tarifas del gimnasio.md', ask: '¿Cuánto cuesta la matrícula?', says: ['20 euros'] },
    { of: 'Tarifas del gimnasio.md', ask: '¿Cuánto cuesta un entrenador personal?', says: null },
    { of: 'Acta de la comunidad.txt', ask: '¿Cuándo abre la piscina?', says: ['15 de junio'] },
    { of: 'Acta de la comunidad.txt', ask: '¿Qué empresa pinta la fachada?', says: ['Solpint'] },
    { of: 'Acta de la comunidad.txt', ask: '¿Cuándo es la próxima junta?', says: ['18 de marzo de 2026'] },
    { of: 'Acta de la comunidad.txt', ask: '¿Cuándo se revisa el ascensor?', says: ['10 de febrero'] },
    { of: 'Acta de la comunidad.txt', ask: '¿Quién es el nuevo portero?', says: null },
    { of: 'Centro de salud Norte.md', ask: '¿Cuál es el teléfono del centro de salud Norte?', says: ['955 010 203'] },
    {
      of: 'Centro de salud Sur.md',
      ask: '¿Y el del centro Sur?',
      after: '¿Cuál es el teléfono del centro de salud Norte?',
      says: ['955 010 417'],
    },
    { of: 'Centro de salud Sur.md', ask: '¿Cuándo hacen extracciones de sangre en el centro Sur?', says: ['martes y jueves'] },
    { of: 'Centro de salud Norte.md', ask: '¿Cuál es el teléfono del centro de salud Oeste?', says: null },
    { of: 'Preguntas de la escuela.md', ask: '¿A qué hora empiezan las clases?', says: ['A las nueve'], beside: ['empiezan las clases'] },
    { of: 'Preguntas de la escuela.md', ask: '¿Cuánto cuesta el comedor al día?', says: ['5,20 euros'], beside: ['cuesta el comedor'] },
    { of: 'Preguntas de la escuela.md', ask: '¿Dónde compro el uniforme?', says: ['tienda Hilos'], beside: ['compra el uniforme'] },
    { of: 'Preguntas de la escuela.md', ask: '¿Quién enseña música en la escuela?', says: null },
    { of: 'Correo de Inés.txt', ask: '¿Quién conduce el autobús?', says: ['Ramón'] },
    { of: 'Correo de Inés.txt', ask: '¿Cuántos kilómetros tiene la ruta?', says: ['14 kilómetros'] },
    { of: 'Correo de Inés.txt', ask: '¿Qué pasa si llueve?', says: ['domingo'] },
    { of: 'Correo de Inés.txt', ask: '¿Desde dónde salimos el sábado?', says: ['plaza del mercado'] },
    { of: 'Correo de Inés.txt', ask: '¿Cuánto cuesta la excursión?', says: null },
  ],
};
