-- Work that costs nothing needs no credits: where nothing is needed, neither a balance below zero nor a budget that has been
-- overspent refuses it.
CREATE OR REPLACE FUNCTION credit_reserve(p_hold jsonb, p_by jsonb) RETURNS jsonb
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  h credit_hold := jsonb_populate_record(NULL::credit_hold, p_hold);
  s record;
  b budget;
  spent numeric;
  aside numeric;
  needed numeric;
BEGIN
  h.tenant_id := current_tenant();
  IF h.tenant_id IS NULL THEN RETURN NULL; END IF;
  h.hold_at := date_trunc('milliseconds', clock_timestamp());
  h.hold_expires_at := h.hold_at + interval '15 minutes';
  IF p_hold ? 'lines' THEN
    SELECT coalesce(sum(l.credits), 0), coalesce(jsonb_object_agg(l.param, l.credits), '{}') INTO h.hold_credits, h.hold_lines FROM (
      SELECT r.param, sum(round(round(r.units, 6) * c.price, 6)) AS credits FROM jsonb_to_recordset(p_hold -> 'lines') AS r (param text, details text, units numeric), cost_at(h.tenant_id, r.param, r.details, h.hold_at) c GROUP BY r.param
    ) l;
  ELSE
    h.hold_lines := '{}';
  END IF;
  PERFORM credit_enter(h.tenant_id, p_by);
  UPDATE credit_hold o SET hold_settled_at = h.hold_at WHERE o.tenant_id = h.tenant_id AND o.hold_source = h.hold_source AND o.hold_settled_at IS NULL;
  SELECT * INTO s FROM credit_state(h.tenant_id);
  IF h.hold_credits > 0 AND s.credit_policy = 'enforced' AND s.credit_available < h.hold_credits THEN
    RETURN jsonb_build_object('needed', h.hold_credits, 'available', s.credit_available);
  END IF;
  FOR b IN SELECT * FROM budgets_of(h.tenant_id, h.hold_user, h.hold_agent, h.hold_prompt, h.hold_key, h.hold_extension, ARRAY(SELECT jsonb_object_keys(h.hold_lines))) o
    WHERE o.bud_active AND o.bud_action = 'block' ORDER BY o.bud_created, o.bud_id
  LOOP
    needed := CASE WHEN b.bud_scope = 'param' THEN (h.hold_lines ->> b.bud_target)::numeric ELSE h.hold_credits END;
    spent := coalesce((SELECT c.cnt_spent FROM budget_counter c, budget_window(b.bud_period, b.bud_timezone, h.hold_at) w
      WHERE c.tenant_id = h.tenant_id AND c.cnt_budget = b.bud_id AND c.cnt_from = w.window_from AND c.cnt_subject = budget_subject(b.bud_scope, h.hold_user)), 0);
    aside := coalesce((SELECT sum(CASE WHEN b.bud_scope = 'param' THEN coalesce((o.hold_lines ->> b.bud_target)::numeric, 0) ELSE o.hold_credits END) FROM credit_hold o
      WHERE o.tenant_id = h.tenant_id AND o.hold_settled_at IS NULL AND o.hold_expires_at > h.hold_at AND (b.bud_scope <> 'each_user' OR o.hold_user = h.hold_user)
        AND (b.bud_scope = 'param' OR budget_binds(b, o.hold_user, o.hold_agent, o.hold_prompt, o.hold_key, o.hold_extension))), 0);
    IF needed > 0 AND spent + aside + needed > b.bud_credits THEN
      RETURN jsonb_build_object('needed', needed, 'available', b.bud_credits - spent - aside, 'bud_id', b.bud_id, 'bud_name', b.bud_name);
    END IF;
  END LOOP;
  INSERT INTO credit_hold SELECT h.*;
  RETURN jsonb_build_object('hold_id', h.hold_id, 'hold_credits', h.hold_credits, 'hold_expires_at', h.hold_expires_at);
END
$$;
