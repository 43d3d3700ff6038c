int f(int x, int y)
{
    switch (x) {
    case 1:
        y++;
    case 2 ... 5:
        y = 2;
        break;
    case 6:
    default:
        return y;
    }
    switch (y) {
    case 3:
        return 1;
    }
    return 0;
}

/* IR
function f(x, y)
b0:
  3: switch x 1: b1 2..5: b2 6: b3 default: b3
b1:
  5: #0 y := `y + 1`
  5: jump b2
b2:
  7: #1 y := 2
  13: switch y 3: b5 default: b4
b3:
  11: return y
b4:
  17: return 0
b5:
  15: return 1
*/
